import SampleLog

/// A checker that damages a store: reads must return the exact answer or an error that names the
/// position, and verification must report the damage.
package struct RotChecker {
  package private(set) var counts = Counts()
  private let store: RotStore

  package init(_ store: RotStore) { self.store = store }

  /// Applies one damage to a new copy.
  ///
  /// - Throws: A ``SimulationFailure``.
  package mutating func check(_ rot: Rot) throws {
    let entry = store.image.entries[rot.file]
    var bytes = entry.bytes
    rot.apply(to: &bytes)
    if case .flip = rot { counts.flips += 1 } else { counts.otherRot += 1 }
    guard let damaged = rot.damaged(entry.bytes, bytes) else { return }
    var image = store.image
    image.set(entry.name, to: bytes)
    let allowed = allowedAnswers(entry.name, entry.bytes, bytes, damaged)
    let isNamed = try read(image, rot, entry.name, allowed)
    try verify(image, rot, entry.name, damaged, allowed, isNamed: isNamed)
  }

  private func fail(_ rot: Rot, _ message: String) -> SimulationFailure {
    SimulationFailure(
      workload: Workload([]), replay: "rot=\(rot) store=\(store.plan)", message: message)
  }

  /// Returns the answers that the store may give without an error.
  ///
  /// Damage at the end of the newest log, without valid frames after it, looks like a torn write,
  /// so the log is truncated there. Elsewhere no data may be missing.
  private func allowedAnswers(
    _ name: String, _ old: [UInt8], _ new: [UInt8], _ damaged: Range<Int>
  ) -> [UInt64] {
    guard !name.hasSuffix(".segment"), let regions = store.regions[name] else { return [] }
    // Bytes after the frames are ignored.
    if damaged.lowerBound >= regions.end { return [store.answers] }
    guard name == store.newestLog else { return [] }
    guard let hit = regions.frames.firstIndex(where: { $0.contains(damaged.lowerBound) }) else {
      return []
    }
    func isHit(_ range: Range<Int>) -> Bool {
      range.upperBound > new.count || old[range] != new[range]
    }
    let rest = regions.frames[hit...] + (regions.mark.map { [$0] } ?? [])
    return rest.allSatisfy(isHit) ? [store.prefixes[hit]] : []
  }

  /// Opens and reads the store; returns whether an error named the damage.
  private func read(
    _ image: DiskImage, _ rot: Rot, _ name: String, _ allowed: [UInt64]
  ) throws -> Bool {
    let process = SimulatedDisk(image, isRecording: false).process()
    defer { process.kill() }
    do {
      let database = try RotStore.open(process, store.seed)
      let answers = try RotStore.answers(of: database)
      // The damaged part may not be read by these queries.
      guard allowed.contains(answers) || answers == store.answers else {
        throw fail(rot, "a wrong answer")
      }
      return false
    } catch StoreError.damaged(let file, _, let reason) {
      guard file == name else { throw fail(rot, "\(file) is blamed: \(reason)") }
      return true
    }
  }

  private func verify(
    _ image: DiskImage, _ rot: Rot, _ name: String, _ damaged: Range<Int>,
    _ allowed: [UInt64], isNamed: Bool
  ) throws {
    let process = SimulatedDisk(image, isRecording: false).process()
    defer { process.kill() }
    let verification = try Verification(path: SimulatedProcess.directory, fileSystem: process)
    if verification.isGood {
      if isNamed { throw fail(rot, "verifying finds nothing, though reading fails") }
      // An intact result is correct only if the answers are exact.
      if allowed.isEmpty { throw fail(rot, "verifying finds nothing") }
      return
    }
    guard let regions = store.regions[name] else { return }
    let isFound = verification.damages.contains { damage in
      guard damage.file == name else { return false }
      guard let range = regions.range(of: min(damage.offset, regions.end - 1)) else { return false }
      return range.overlaps(damaged) || isCut(rot)
    }
    if !isFound {
      throw fail(rot, "bytes \(damaged) are damaged, verifying names \(verification.damages)")
    }
  }

  private func isCut(_ rot: Rot) -> Bool {
    if case .cut = rot { return true }
    return false
  }
}
