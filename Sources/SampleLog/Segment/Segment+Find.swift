internal import Synchronization

/// Finds samples by identifier and by sync identifier.
extension Segment {
  /// A function that receives a segment, a block and the rows of the block that may have an
  /// identifier.
  package typealias Candidates = (Segment, Int, Range<Int>) -> Void

  /// Prefetches the part of the key index that a look-up of an identifier reads first.
  func prefetch(_ id: Identifier) {
    let hash = hash(id)
    residentKeys.withObject { $0.prefetch($0.home(hash)) }
  }

  /// Finds the sample with an identifier; reports candidate rows before it confirms them.
  ///
  /// The caller can use the report to prefetch the rows' other columns.
  ///
  /// Reads a few kilobytes. The first look-up in a block also reads and verifies all identifiers
  /// of that block.
  package func find(
    _ id: Identifier, lookingInto: Candidates = { _, _, _ in }
  ) throws -> (block: Int, row: Int)? {
    guard sampleCount > 0 else { return nil }
    return try find(id, hash(id), lookingInto)
  }

  private func find(
    _ id: Identifier, _ hash: UInt64, _ lookingInto: Candidates = { _, _, _ in }
  ) throws -> (block: Int, row: Int)? {
    let answer = try residentKeys.withObject { keys in
      try keys.probe(hash) { try confirm(id, $0, lookingInto) }
    }
    if let answer { return answer }
    return switch try keyIndex() {
    // The index has just been loaded and published.
    case .resident: try find(id, hash, lookingInto)
    case .stored(let keys):
      try probed { try keys.probe(hash) { try confirm(id, $0, lookingInto) } }
    }
  }

  /// Returns the index of the first identifier in `ids` that belongs to a sample.
  ///
  /// Intended for batches of thousands; the Bloom filter or the key index in memory rejects nearly
  /// all of them.
  package func firstMatch(in ids: UnsafeBufferPointer<Identifier>) throws -> Int? {
    guard sampleCount > 0, !ids.isEmpty else { return nil }
    var match: Int?
    if let filter {
      try hash.forEachGroup(of: ids, prefetch: filter.prefetch) { index, hash in
        if filter.mayContain(hash), try find(ids[index], hash) != nil { match = index }
        return match == nil
      }
    } else if case .resident(let keys) = try keyIndex() {
      try hash.forEachGroup(of: ids, prefetch: { keys.prefetch(keys.home($0)) }) { index, hash in
        if try keys.probe(hash, { try confirm(ids[index], $0) }) != nil { match = index }
        return match == nil
      }
    } else {
      return try ids.indices.first { try find(ids[$0], hash(ids[$0])) != nil }
    }
    return match
  }

  /// Returns the samples that may have a sync identifier with this key; the caller must compare.
  package func find(syncKey: UInt64) throws -> [(block: Int, row: Int)] {
    if footer[.syncKeys].length == 0 { return [] }
    let memory = try syncKeyMemory()
    defer { withExtendedLifetime(memory) {} }
    let index: SyncKeyIndex
    do {
      index = try SyncKeyIndex(memory.bytes, segmentRows: rowCount)
    } catch {
      throw damaged(.syncKeys, error.reason)
    }
    let rows = index.rows(syncKey)
    guard rows.allSatisfy({ $0 < rowCount }) else {
      throw damaged(.syncKeys, "a row that does not exist")
    }
    return rows.map { locate(row: $0) }.filter { isSample($0.block) }
  }

  /// Whether another segment file has replaced this one.
  var isRetired: Bool { retired.load(ordering: .acquiring) }

  /// Marks the segment as replaced by another file.
  func retire() { retired.store(true, ordering: .releasing) }

  func isSample(_ block: Int) -> Bool { group(ofBlock: block).kind == .sample }

  func damaged(_ region: Region, _ reason: String) -> StoreError {
    damaged(at: footer[region].offset, "\(reason) (\(region))")
  }

  /// Searches for an identifier among rows of the segment.
  private func confirm(
    _ id: Identifier, _ rows: Range<Int>, _ lookingInto: Candidates = { _, _, _ in }
  ) throws -> (block: Int, row: Int)? {
    let rows = rows.clamped(to: 0..<rowCount)
    var next = rows.lowerBound
    while next < rows.upperBound {
      let (block, first) = locate(row: next)
      let end = min(directory.rows(block), first + rows.upperBound - next)
      if isSample(block) {
        lookingInto(self, block, first..<end)
        if let row = try find(id, block, first..<end) { return (block, row) }
      }
      next += end - first
    }
    return nil
  }

  private func find(_ id: Identifier, _ block: Int, _ rows: Range<Int>) throws -> Int? {
    if isDerived(block) { return try findDerived(id, block, rows) }
    return try withIdentifiers(block, rows) { bytes, first, encoding in
      IdentifierCodec.find(
        id, bytes, rows: rows.lowerBound - first..<rows.upperBound - first, encoding: encoding
      ).map { $0 + first }
    }
  }

  /// Searches for an identifier among rows whose identifiers are derived from sequence numbers.
  ///
  /// Reads the sequence numbers only if the identifier can be in the block, which is rare for new
  /// identifiers.
  private func findDerived(_ id: Identifier, _ block: Int, _ rows: Range<Int>) throws -> Int? {
    switch try BlockReader(self, block, mask: StoredColumn.mask(.id)).position(of: id) {
    case .none: return nil
    case .at(let sequence):
      let least = directory.word(block, DirectoryEntry.minSequence)
      let most = directory.word(block, DirectoryEntry.maxSequence)
      if sequence < least || sequence > most { return nil }
      let found = try self.block(block, .sequence)
      return rows.first { found.sequence[$0] == sequence }
    case .anywhere:
      let found = try self.block(block, .id)
      return rows.first { found.id[$0] == id }
    }
  }

  /// Calls a function with the bytes of the rows' identifiers, the first row that the bytes cover,
  /// and their encoding.
  func withIdentifiers<Result>(
    _ block: Int, _ rows: Range<Int>,
    _ body: (UnsafeRawPointer, Int, UInt8) throws -> Result
  ) throws -> Result {
    try checkIdentifiers(block)
    let encoding = directory.idEncoding(block)
    let (window, first) = IdentifierCodec.window(
      rows, count: directory.rows(block), encoding: encoding)
    let column = directory.extent(block, .id)
    let offset = column.lowerBound + IdentifierCodec.headerLength + window.lowerBound
    return try withUnsafeTemporaryAllocation(
      byteCount: window.count + RawMemory.slack, alignment: 16
    ) { buffer in
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<window.count])
      guard try file.readNow(into: target, at: offset) == window.count,
        let base = buffer.baseAddress
      else { throw damaged(at: offset, "the file is cut") }
      return try body(UnsafeRawPointer(base), first, encoding)
    }
  }

  /// Verifies the checksum of a block's identifiers on the first access.
  ///
  /// Later reads can then fetch parts of the column.
  private func checkIdentifiers(_ block: Int) throws {
    if withPointReadState({ $0.isChecked(block) }) { return }
    let memory = try read(directory.extent(block, .id))
    defer { withExtendedLifetime(memory) {} }
    let column = StoredColumn.id.rawValue
    guard checksum(memory.bytes) == directory.checksum(block, column) else {
      throw damaged(block, column, "wrong checksum")
    }
    do {
      let encoding = try IdentifierCodec.check(memory.bytes, count: directory.rows(block))
      guard encoding == directory.idEncoding(block) else {
        throw CodecError("encoding differs from the directory's")
      }
    } catch let damage as CodecError {
      throw damaged(block, column, damage.reason)
    }
    withPointReadState { $0.setChecked(block) }
  }

  /// Calls a function with the point read state, and creates the state on the first call.
  @inline(__always)
  func withPointReadState<Result>(_ body: (PointReadState) throws -> Result) rethrows -> Result {
    if let result = try pointReadState.withObject(body) { return result }
    making.withLock { _ in
      if pointReadState.withObject({ _ in }) == nil { pointReadState.publish(PointReadState(self)) }
    }
    return try withPointReadState(body)
  }

  func readRegion(_ region: Region) throws -> RawMemory {
    let extent = footer[region]
    let memory = try read(extent.offset..<extent.end)
    guard checksum(memory.bytes) == extent.checksum else {
      throw damaged(region, "wrong checksum")
    }
    return memory
  }

  /// The key index, in memory if the memory budget allows.
  enum Keys: Sendable {
    case resident(KeyIndex)
    case stored(StoredKeyIndex)
  }

  /// Returns the key index; the first call loads it while concurrent callers wait.
  func keyIndex() throws -> Keys {
    try lazy.withLockInline { state in
      if let keys = residentKeys.withObject({ $0 }) { return .resident(keys) }
      if let keys = state.storedKeys { return .stored(keys) }
      let keys = try readKeys()
      switch keys {
      case .resident(let keys): residentKeys.publish(keys)
      case .stored(let keys): state.storedKeys = keys
      }
      return keys
    }
  }

  private func readKeys() throws -> Keys {
    let extent = footer[.keys]
    guard let indexMemory else { return .resident(try readKeyIndex()) }
    let size = KeyIndex.byteCount(
      samples: sampleCount, segmentRows: rowCount, encoded: extent.length)
    guard indexMemory.take(size) else {
      return try probed {
        .stored(
          try StoredKeyIndex(
            file, extent.offset..<extent.end, checksum: extent.checksum, samples: sampleCount,
            segmentRows: rowCount))
      }
    }
    do {
      return .resident(try readKeyIndex())
    } catch {
      indexMemory.giveBack(size)
      throw error
    }
  }

  /// Reads the whole key index into memory.
  func readKeyIndex() throws -> KeyIndex {
    let memory = try readRegion(.keys)
    defer { withExtendedLifetime(memory) {} }
    return try probed {
      try KeyIndex(memory.bytes, samples: sampleCount, segmentRows: rowCount)
    }
  }

  /// Runs a key index operation and adds the file and region to any error that it throws.
  private func probed<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let damage as CodecError {
      throw damaged(.keys, damage.reason)
    }
  }

  private func syncKeyMemory() throws -> RawMemory {
    try lazy.withLockInline { state in
      if let memory = state.syncKeys { return memory }
      let memory = try readRegion(.syncKeys)
      state.syncKeys = memory
      return memory
    }
  }
}
