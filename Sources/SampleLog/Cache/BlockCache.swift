/// A cache of recently used blocks, bounded in bytes.
///
/// A block is kept decoded if readers scan it, or encoded, at about a tenth of the size, if they
/// read single rows.
final class BlockCache: Sendable {
  private struct Key: Hashable {
    var segment: ObjectIdentifier
    var block: Int
    var isStored = false
  }

  private struct Entry {
    /// The decoded block.
    ///
    /// Nil if the block is kept encoded: the segment holds the encoded block, so that readers find
    /// it without a lock.
    var block: Block?
    var byteCount: Int
    // A strong reference, so that the segment's object identity is not reused while the entry
    // exists.
    var segment: Segment
    var isWanted = false
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    // The ring of the clock algorithm. A slot is nil if its block was evicted to make room for a
    // larger one.
    var ring: [Key?] = []
    var hand = 0
    var bytes = 0

    /// Removes a block from the cache.
    mutating func remove(_ key: Key) {
      guard let entry = entries.removeValue(forKey: key) else { return }
      bytes -= entry.byteCount
      if key.isStored { entry.segment.withPointReadState { $0.stored(key.block).pointee.take() } }
    }

    /// Returns whether a block was used since the last call, and clears its mark.
    mutating func takeWanted(_ key: Key) -> Bool {
      guard let entry = entries[key] else { return false }
      if key.isStored {
        return entry.segment.withPointReadState { $0.stored(key.block).pointee.takeReferenceBit() }
      }
      entries[key]?.isWanted = false
      return entry.isWanted
    }
  }

  // The size of a decoded row with every column, in bytes.
  static let bytesPerRow = 72
  private static let fewRows = 8
  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  /// The total size of the cached blocks, in bytes.
  var byteCount: Int { state.withLock { $0.bytes } }

  // Encoded blocks are stored in their segments, so they must be removed from there.
  deinit {
    state.withLock { state in
      for key in state.entries.keys { state.remove(key) }
    }
  }

  /// Returns a block with every column.
  ///
  /// Decodes and caches the block if it is not cached.
  func block(_ segment: Segment, _ index: Int) throws -> Block {
    if let known = known(segment, index) { return known }
    let block = try segment.block(index, .all)
    let key = Key(segment: ObjectIdentifier(segment), block: index)
    let size = block.count * BlockCache.bytesPerRow
    keep(key, Entry(block: block, byteCount: size, segment: segment)) { true }
    return block
  }

  /// Returns the rows whose start lies within bounds, given rows of a block that are sorted by
  /// start.
  func rows(
    _ segment: Segment, _ index: Int, _ rows: Range<Int>, startingIn bounds: Bounds
  ) throws -> Range<Int> {
    let found = segment.withEncodedBlock(index) { $0.rows(rows, startingIn: bounds) }
    if let found { return found }
    if let block = known(segment, index, isWanted: false) {
      let first = rows.partition { block.start[$0] < bounds.lower }
      return first..<(first..<rows.upperBound).partition { block.start[$0] <= bounds.upper }
    }
    return try stored(segment, index).rows(rows, startingIn: bounds)
  }

  /// Returns the start date of a row, in seconds since 2001-01-01 00:00 UTC.
  func start(_ segment: Segment, _ index: Int, _ row: Int) throws -> Double {
    if let start = segment.withEncodedBlock(index, { $0.start(ofRow: row) }) { return start }
    if let block = known(segment, index, isWanted: false) { return block.start[row] }
    return try stored(segment, index).start(ofRow: row)
  }

  /// Returns the given columns of a contiguous range of rows.
  ///
  /// Like a read of a single row, this caches the encoded block only; the decoded rows are not
  /// cached.
  func rows(
    _ segment: Segment, _ index: Int, _ rows: Range<Int>, _ columns: ColumnSet
  ) throws -> Block {
    // Looking up the decoded block takes longer than decoding a few rows of the encoded one.
    if rows.count <= Self.fewRows {
      let stored = segment.withEncodedBlock(index) { $0 }
      if let stored { return try segment.block(stored, neighbours: rows, columns) }
    }
    if let block = known(segment, index, isWanted: false) { return Block(block, rows) }
    return try segment.block(try stored(segment, index), neighbours: rows, columns)
  }

  /// Returns one row of a block.
  ///
  /// Pass the row's identifier if it is known.
  ///
  /// A read of a single row caches the encoded block, which takes a fraction of the memory of a
  /// decoded one.
  func row(
    _ segment: Segment, _ location: (block: Int, row: Int), id: Identifier?
  ) throws -> Row {
    if id == nil, let block = known(segment, location.block, isWanted: false) {
      return Row(block, location.row)
    }
    // Reads the identifier first, because the read may be slow and must not happen while the block
    // is borrowed.
    let id = try id ?? segment.storedIdentifier(location.block, location.row)
    let known = try segment.withEncodedBlock(location.block) {
      Row(try segment.row(location.row, of: $0, id: id), 0)
    }
    if let known { return known }
    if let block = self.known(segment, location.block, isWanted: false) {
      return Row(block, location.row)
    }
    let rows = try stored(segment, location.block)
    return Row(try segment.row(location.row, of: rows, id: id), 0)
  }

  /// Returns an encoded block.
  ///
  /// Reads and caches the block if it is not cached.
  func stored(_ segment: Segment, _ index: Int) throws -> EncodedBlock {
    if let known = segment.withEncodedBlock(index, { $0 }) { return known }
    let rows = try segment.encodedBlock(index)
    let key = Key(segment: ObjectIdentifier(segment), block: index, isStored: true)
    keep(key, Entry(byteCount: rows.byteCount, segment: segment)) {
      segment.withPointReadState { $0.stored(index).pointee.put(rows) }
    }
    return rows
  }

  /// Returns a cached decoded block, or nil.
  ///
  /// The block counts as used if `isWanted` is true.
  func known(_ segment: Segment, _ index: Int, isWanted: Bool = true) -> Block? {
    let key = Key(segment: ObjectIdentifier(segment), block: index)
    return state.withLock { state in
      guard let slot = state.entries.index(forKey: key) else { return nil }
      if isWanted { state.entries.values[slot].isWanted = true }
      return state.entries.values[slot].block
    }
  }

  /// Adds a block unless it is already cached or its segment is retired.
  ///
  /// `put` publishes the block to readers and returns false if it cannot.
  private func keep(_ key: Key, _ entry: Entry, _ put: () -> Bool) {
    state.withLock { state in
      guard state.entries[key] == nil, !entry.segment.isRetired, put() else { return }
      var free: Int?
      while state.bytes + entry.byteCount > capacity, !state.entries.isEmpty {
        free = evict(&state)
      }
      state.entries[key] = entry
      state.bytes += entry.byteCount
      // A new block takes the slot that was freed last, just behind the hand, so the hand reaches
      // it last.
      if let free { state.ring[free] = key } else { state.ring.append(key) }
    }
  }

  /// Removes the blocks of segments that are no longer part of the store.
  func forget(_ segments: [Segment]) {
    let gone = Set(segments.map(ObjectIdentifier.init))
    state.withLock { state in
      for key in state.ring.compactMap({ $0 }) where gone.contains(key.segment) {
        state.remove(key)
      }
      state.ring.removeAll { $0.map { gone.contains($0.segment) } ?? true }
      state.hand = 0
    }
  }

  /// Evicts one block and returns its slot in the ring.
  ///
  /// A block that was used since the hand last passed gets a second chance (the clock algorithm).
  private func evict(_ state: inout State) -> Int {
    while true {
      if state.hand >= state.ring.count { state.hand = 0 }
      let slot = state.hand
      state.hand += 1
      guard let key = state.ring[slot] else { continue }
      if state.takeWanted(key) { continue }
      state.remove(key)
      state.ring[slot] = nil
      return slot
    }
  }
}
