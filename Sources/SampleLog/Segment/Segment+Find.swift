extension Segment {
  /// Gets which rows of which block of a segment may have an identifier.
  package typealias Candidates = (Segment, Int, Range<Int>) -> Void

  /// Asks for the memory that looking up an identifier reads first.
  func prefetch(_ id: Identifier) {
    let hash = hash(id)
    residentKeys.withObject { $0.prefetch($0.home(hash)) }
  }

  /// Finds the sample with an identifier, and first says which rows of which block it may be:
  /// what else is wanted of them can be asked for meanwhile.
  ///
  /// Reads a few kilobytes, and once for each block all of its identifiers to check them.
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
    // Just read: now it is there.
    case .resident: try find(id, hash, lookingInto)
    case .stored(let keys):
      try probed { try keys.probe(hash) { try confirm(id, $0, lookingInto) } }
    }
  }

  /// Returns the index of the first identifier that a sample has.
  ///
  /// Meant for thousands at once: nearly all are answered by the key index in memory.
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

  /// Returns the samples that may have a sync identifier, by its key; the caller compares.
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

  /// Whether another file has taken its position.
  var isRetired: Bool { lazy.withLock { $0.isRetired } }

  /// Says that another file has taken its position.
  func retire() { lazy.withLock { $0.isRetired = true } }

  func isSample(_ block: Int) -> Bool { group(ofBlock: block).kind == .sample }

  func damaged(_ region: Region, _ reason: String) -> StoreError {
    damaged(at: footer[region].offset, "\(reason) (\(region))")
  }

  /// Looks for an identifier among rows of the segment.
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

  /// Looks for an identifier among rows whose identifiers follow from their sequence numbers, which
  /// are read only when it can be there: nearly no new one can.
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

  /// Reads the identifiers of rows: their bytes, and the row the bytes begin with.
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
      guard try file.read(into: target, at: offset) == window.count,
        let base = buffer.baseAddress
      else { throw damaged(at: offset, "the file is cut") }
      return try body(UnsafeRawPointer(base), first, encoding)
    }
  }

  /// Checks the identifiers of a block against their checksum, once while the segment is open:
  /// from then on, parts of them may be read.
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

  /// Uses what reading single rows needs, and makes it first if this is the first time.
  @inline(__always)
  func withPointReadState<Result>(_ body: (PointReadState) throws -> Result) rethrows -> Result {
    if let result = try pointReadState.withObject(body) { return result }
    lazy.withLock { _ in
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

  /// The key index: in memory if there was room for it.
  enum Keys: Sendable {
    case resident(KeyIndex)
    case stored(StoredKeyIndex)
  }

  /// The key index, read when it is asked for first; others wait meanwhile.
  func keyIndex() throws -> Keys {
    try lazy.withLock { state in
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

  /// Says in which file the key index is that makes no sense.
  private func probed<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let damage as CodecError {
      throw damaged(.keys, damage.reason)
    }
  }

  private func syncKeyMemory() throws -> RawMemory {
    try lazy.withLock { state in
      if let memory = state.syncKeys { return memory }
      let memory = try readRegion(.syncKeys)
      state.syncKeys = memory
      return memory
    }
  }
}
