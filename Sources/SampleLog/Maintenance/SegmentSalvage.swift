/// The readable contents of a damaged store's segment.
struct SegmentSalvage {
  let segment: Segment
  /// The damage to the file; empty if the file is intact.
  private(set) var damages: [Damage] = []
  /// The blocks with valid directory entries.
  private(set) var usable: Set<Int>
  private(set) var hasControls = true
  /// Whether the directory, and so the zone maps, are intact.
  private(set) var hasDirectory = true

  /// Opens a segment as far as possible.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if nothing can be salvaged.
  init(file: any File, name: String, symbols: SymbolTable) throws {
    do {
      let segment = try Segment(file: file, name: name, symbols: symbols)
      self.segment = segment
      usable = Set(0..<segment.blockCount)
      var found: [Damage] = []
      segment.verify { offset, reason in
        found.append(Damage(file: name, offset: offset, reason: reason))
      }
      damages = found
    } catch StoreError.damaged(_, let offset, let reason) {
      let damage = Damage(file: name, offset: offset, reason: reason)
      (segment, usable, damages, hasControls, hasDirectory) = try Self.open(
        file, name, symbols, damage)
    }
  }

  private typealias Opened = (Segment, Set<Int>, [Damage], Bool, Bool)

  /// Opens a segment from its intact regions.
  private static func open(
    _ file: any File, _ name: String, _ symbols: SymbolTable, _ damage: Damage
  ) throws -> Opened {
    let size = try file.size()
    guard
      let (header, footer) = try BackupHeaderReader(file: file, size: size).headerAndFooter(name)
    else {
      throw StoreError.damaged(
        file: name, offset: damage.offset, reason: "\(damage.reason), and so is the backup header")
    }
    var damages = [damage]
    func region(_ region: Region) throws -> RawMemory {
      let extent = footer[region]
      let memory = RawMemory(extent.length)
      memory.writable.initializeMemory(as: UInt8.self, repeating: 0)
      if extent.offset < size, extent.length > 0 {
        _ = try file.read(into: memory.writable, at: extent.offset)
      }
      if checksum(memory.bytes) != extent.checksum {
        damages.append(
          Damage(file: name, offset: extent.offset, reason: "wrong checksum of the \(region)"))
        throw CodecError("wrong checksum of the \(region)")
      }
      return memory
    }
    do {
      let names = try region(.symbols)
      let local = try withExtendedLifetime(names) {
        try SegmentNames($0.bytes, version: header.version, symbols)
      }
      let table = try region(.series)
      let series = try withExtendedLifetime(table) {
        try SeriesTable($0.bytes, footer, local, symbols, version: header.version)
      }
      let settings = try? withExtendedLifetime(try region(.settings)) {
        try Setting.decode($0.bytes)
      }
      let isWhole = (try? region(.directory)) != nil
      let directory = RawMemory(footer[.directory].length)
      directory.writable.initializeMemory(as: UInt8.self, repeating: 0)
      _ = try file.read(into: directory.writable, at: footer[.directory].offset)
      let segment = Segment(
        file: file, name: name, symbols: symbols,
        parts: Segment.Parts(
          fileSize: size, header: header, footer: footer, symbols: local.symbols, series: series,
          settings: settings ?? [], directory: directory))
      var usable: Set<Int> = []
      for group in series.groups {
        usable.formUnion(
          group.blocks.filter {
            segment.directory.isUsable($0, of: group, series, fileSize: size)
          })
      }
      return (segment, usable, unique(damages), settings != nil, isWhole)
    } catch let error as CodecError {
      throw StoreError.damaged(
        file: name, offset: damages.last?.offset ?? 0,
        reason: "\(error.reason), without which no block can be told from another")
    }
  }

  private static func unique(_ damages: [Damage]) -> [Damage] {
    var seen: Set<Damage> = []
    return damages.filter { seen.insert($0).inserted }
  }

  /// Returns a block if all of it is readable; otherwise reports the loss and returns nil.
  func block(_ index: Int, _ report: (Loss) -> Void = { _ in }) -> Block? {
    let kind = segment.group(ofBlock: index).kind
    let range = segment.header.first...segment.header.last
    var loss = Loss(
      file: segment.name, bytes: nil, sequences: range, samples: nil, deletions: nil,
      reason: "the directory's entry of block \(index) makes no sense")
    if kind == .sample { loss.deletions = 0 } else { loss.samples = 0 }
    guard usable.contains(index) else {
      report(loss)
      return nil
    }
    do {
      let block = try segment.block(index, .all)
      for row in 0..<block.count where !range.contains(block.sequence[row]) {
        throw StoreError.damaged(
          file: segment.name, offset: segment.directory.offset(index),
          reason: "a sequence number outside the range of the segment")
      }
      return block
    } catch {
      loss.bytes = segment.directory.bytes(index)
      if case .damaged(_, _, let reason) = error as? StoreError { loss.reason = reason }
      if hasDirectory {
        let zone = segment.zone(index)
        if zone.minSequence <= zone.maxSequence {
          loss.sequences = zone.minSequence...zone.maxSequence
        }
        if kind == .sample { loss.samples = zone.count } else { loss.deletions = zone.count }
      }
      report(loss)
      return nil
    }
  }
}

/// A search for an intact header and footer, at their positions or in the backup copy.
private struct BackupHeaderReader {
  let file: any File
  let size: Int

  func headerAndFooter(_ name: String) throws -> (SegmentHeader, SegmentFooter)? {
    let head = try header(at: 0, name)
    let position = size - SegmentFooter.length
    if let foot = try footer(at: position), Int(foot.position) == position {
      let backup = try header(at: foot.footer[.settings].end, name)
      return (head ?? backup).map { ($0, foot.footer) }
    }
    return try search(name, head)
  }

  /// Searches for the backup copy, from the end of the file backwards.
  private func search(
    _ name: String, _ head: SegmentHeader?
  ) throws -> (SegmentHeader, SegmentFooter)? {
    let piece = 1 << 20
    var end = size
    while end > SegmentHeader.length {
      let start = max(SegmentHeader.length, end - piece)
      let bytes = try file.bytes(end - start, at: start) ?? []
      // Chunks overlap by seven bytes, so that no magic number is split.
      for index in bytes.indices.dropLast(7).reversed()
      where bytes[index] == SegmentHeader.magic[0]
        && bytes[index..<index + 8].elementsEqual(SegmentHeader.magic)
      {
        let offset = start + index
        if let found = try header(at: offset, name),
          let foot = try footer(at: offset + SegmentHeader.length)
        {
          return (head ?? found, foot.footer)
        }
      }
      end = start > SegmentHeader.length ? start + 7 : start
    }
    return nil
  }

  private func header(at offset: Int, _ name: String) throws -> SegmentHeader? {
    guard let bytes = try file.bytes(SegmentHeader.length, at: offset) else { return nil }
    do {
      return try SegmentHeader(bytes, file: name)
    } catch StoreError.damaged {
      return nil
    }
  }

  /// Returns the footer at an offset, and the position that it states.
  private func footer(at offset: Int) throws -> (footer: SegmentFooter, position: UInt64)? {
    guard let bytes = try file.bytes(SegmentFooter.length, at: offset) else { return nil }
    let offset = SegmentFooter.length - 24
    let position = bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    guard position <= UInt64(Int.max),
      let footer = try? SegmentFooter(bytes, at: Int(position))
    else { return nil }
    return (footer, position)
  }
}
