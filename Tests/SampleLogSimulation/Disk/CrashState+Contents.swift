/// Enumerates the contents that a crash may leave in a file.
extension CrashState {
  /// The possible bytes of a file, with their hash.
  struct Content {
    var bytes: [UInt8]
    var hash: UInt64

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      hash = stableHash(bytes)
    }
  }

  /// Returns the contents that a crash may leave in a file.
  ///
  /// - Parameters:
  ///   - number: The file's number.
  ///   - isThorough: Whether to tear the last write at every step. If false, as for files that the
  ///     last operation did not change, a few cases are sampled.
  ///   - step: The distance between tears of a write, in bytes.
  ///   - random: Samples cases if there are too many.
  /// - Returns: Distinct contents; the durable contents first, then the visible contents.
  func contents(
    _ number: Int, isThorough: Bool, step: Int, _ random: inout Seeded
  ) -> [Content] {
    let file = files[number]
    guard file.isPending else { return [Content(file.current)] }
    var result = [file.base, file.current]
    if isThorough, file.doubt == nil { tear(file, step, &result) }
    mixSectors(file, isThorough: isThorough, &random, &result)
    var seen: Set<UInt64> = []
    return result.map(Content.init).filter { seen.insert($0.hash).inserted }
  }

  /// Appends every prefix of the last write after the preceding contents, also with the file's new
  /// length but without the new bytes.
  private func tear(_ file: File, _ step: Int, _ result: inout [[UInt8]]) {
    result.append(file.previous)
    guard let (offset, bytes) = file.lastWrite else { return }
    let isPlain = bytes.allSatisfy { $0 == 0 }
    let stride = isPlain ? max(step, bytes.count / 3) : step
    var done = 0
    while done < bytes.count {
      var cut = file.previous
      cut.overlay(bytes[..<done], at: offset)
      result.append(cut)
      if cut.count < file.current.count {
        result.append(filled(cut, file, isStale: false))
        result.append(filled(cut, file, isStale: true))
      }
      done += stride
    }
  }

  /// Extends bytes to the file's new length with zeros or with stale bytes of earlier contents.
  private func filled(_ bytes: [UInt8], _ file: File, isStale: Bool) -> [UInt8] {
    var result = bytes
    while result.count < file.current.count {
      result.append(isStale ? ghostByte(file, result.count) : 0)
    }
    return result
  }

  private func ghostByte(_ file: File, _ position: Int) -> UInt8 {
    if position < file.ghost.count { return file.ghost[position] }
    return position < stale.count
      ? stale[position] : UInt8(truncatingIfNeeded: position &* 151 >> 3)
  }

  /// Mixes new and old sectors of the changed range, in every combination if there are few.
  private func mixSectors(
    _ file: File, isThorough: Bool, _ random: inout Seeded, _ result: inout [[UInt8]]
  ) {
    for size in [512, 4096] {
      let changed = changedSectors(file, size)
      if changed.count < 2, size > 512 || !isThorough { continue }
      let count = changed.count
      if count <= 3, isThorough {
        for bits in 0..<(1 << count) {
          result.append(
            mixture(file, size, changed, isStale: bits & 2 == 0) { bits >> $0 & 1 == 1 })
        }
        continue
      }
      for _ in 0..<(isThorough ? 8 : 1) {
        let bits = random.next()
        result.append(
          mixture(file, size, changed, isStale: random.oneIn(2)) {
            bits >> UInt64($0 & 63) & 1 == 1
          })
      }
      guard isThorough else { continue }
      for one in 0..<min(count, 8) {
        result.append(mixture(file, size, changed, isStale: false) { $0 != one })
        result.append(mixture(file, size, changed, isStale: true) { $0 == one })
      }
    }
  }

  private func changedSectors(_ file: File, _ size: Int) -> [Int] {
    let length = max(file.base.count, file.current.count)
    return (0..<(length + size - 1) / size).filter { sector in
      let range = sector * size..<min((sector + 1) * size, length)
      if range.upperBound > min(file.base.count, file.current.count) { return true }
      return file.base[range] != file.current[range]
    }
  }

  /// Returns the old or new length of bytes, with each changed sector new or old as selected.
  private func mixture(
    _ file: File, _ size: Int, _ changed: [Int], isStale: Bool, _ isNew: (Int) -> Bool
  ) -> [UInt8] {
    var bytes = file.base
    if bytes.count > file.current.count, isNew(0) { bytes.resize(to: file.current.count) }
    bytes = filled(bytes, file, isStale: isStale)
    for (position, sector) in changed.enumerated() where isNew(position) {
      let range = sector * size..<max(sector * size, min((sector + 1) * size, file.current.count))
      if !range.isEmpty, range.upperBound <= bytes.count {
        bytes.overlay(file.current[range], at: range.lowerBound)
      }
    }
    return bytes
  }
}
