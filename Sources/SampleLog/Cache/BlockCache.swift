/// Blocks that were wanted lately, up to a number of bytes: decoded, for reading many rows, or as
/// they are stored, a tenth of the size, for picking out single ones.
final class BlockCache: Sendable {
  private struct Key: Hashable {
    var segment: ObjectIdentifier
    var block: Int
    var isStored = false
  }

  private struct Entry {
    /// The decoded block; one that is kept as it is stored is with its segment, where it is found
    /// without a lock.
    var block: Block?
    var byteCount: Int
    // Keeps the segment's identity from being reused while the entry lives.
    var segment: Segment
    var isWanted = false
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    // Empty slots are those of blocks that had to go for a larger one.
    var ring: [Key?] = []
    var hand = 0
    var bytes = 0

    /// Lets go of a block.
    mutating func remove(_ key: Key) {
      guard let entry = entries.removeValue(forKey: key) else { return }
      bytes -= entry.byteCount
      if key.isStored { entry.segment.withPointReadState { $0.stored(key.block).pointee.take() } }
    }

    /// Whether a block was wanted since this was asked last.
    mutating func takeWanted(_ key: Key) -> Bool {
      guard let entry = entries[key] else { return false }
      if key.isStored {
        return entry.segment.withPointReadState { $0.stored(key.block).pointee.takeMark() }
      }
      entries[key]?.isWanted = false
      return entry.isWanted
    }
  }

  // A decoded row of every column.
  static let bytesPerRow = 72
  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  /// How many bytes the blocks take that are kept.
  var byteCount: Int { state.withLock { $0.bytes } }

  // What is with a segment keeps the segment.
  deinit {
    state.withLock { state in
      for key in state.entries.keys { state.remove(key) }
    }
  }

  /// Returns a block with every column, decoding it when it is not here.
  func block(_ segment: Segment, _ index: Int) throws -> Block {
    if let known = known(segment, index) { return known }
    let block = try segment.block(index, .all)
    let key = Key(segment: ObjectIdentifier(segment), block: index)
    let size = block.count * BlockCache.bytesPerRow
    keep(key, Entry(block: block, byteCount: size, segment: segment)) { true }
    return block
  }

  /// Returns which of some rows of a block, which are in order of start, start within bounds.
  func rows(
    _ segment: Segment, _ index: Int, _ rows: Range<Int>, startingIn bounds: Bounds
  ) throws -> Range<Int> {
    if let block = known(segment, index, isWanted: false) {
      let first = rows.partition { block.start[$0] < bounds.lower }
      return first..<(first..<rows.upperBound).partition { block.start[$0] <= bounds.upper }
    }
    return try stored(segment, index).rows(rows, startingIn: bounds)
  }

  /// Returns when a row of a block starts.
  func start(_ segment: Segment, _ index: Int, _ row: Int) throws -> Double {
    if let block = known(segment, index, isWanted: false) { return block.start[row] }
    return try stored(segment, index).start(ofRow: row)
  }

  /// Returns some columns of rows of a block, which are neighbours.
  ///
  /// As with one row the block is kept as it is stored, and what is decoded is not.
  func rows(
    _ segment: Segment, _ index: Int, _ rows: Range<Int>, _ columns: ColumnSet
  ) throws -> Block {
    if let block = known(segment, index, isWanted: false) { return Block(block, rows) }
    return try segment.block(try stored(segment, index), neighbours: rows, columns)
  }

  /// Returns one row of a block, whose identifier may be known.
  ///
  /// A row is no reason to keep a block decoded: as it is stored it takes a twentieth.
  func row(
    _ segment: Segment, _ location: (block: Int, row: Int), id: Identifier?
  ) throws -> Row {
    if id == nil, let block = known(segment, location.block, isWanted: false) {
      return Row(block, location.row)
    }
    // Not while the block is borrowed: it may take long.
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

  /// Returns a block as it is stored, reading it when it is not here.
  func stored(_ segment: Segment, _ index: Int) throws -> EncodedBlock {
    if let known = segment.withEncodedBlock(index, { $0 }) { return known }
    let rows = try segment.encodedBlock(index)
    let key = Key(segment: ObjectIdentifier(segment), block: index, isStored: true)
    keep(key, Entry(byteCount: rows.byteCount, segment: segment)) {
      segment.withPointReadState { $0.stored(index).pointee.put(rows) }
    }
    return rows
  }

  /// Returns a block that is here decoded; that it was wanted is a reason to keep it.
  func known(_ segment: Segment, _ index: Int, isWanted: Bool = true) -> Block? {
    let key = Key(segment: ObjectIdentifier(segment), block: index)
    return state.withLock { state in
      guard let slot = state.entries.index(forKey: key) else { return nil }
      if isWanted { state.entries.values[slot].isWanted = true }
      return state.entries.values[slot].block
    }
  }

  /// Keeps a block if it is not here and its segment is in use; `put` puts it where it is found.
  private func keep(_ key: Key, _ entry: Entry, _ put: () -> Bool) {
    state.withLock { state in
      guard state.entries[key] == nil, !entry.segment.isRetired, put() else { return }
      var free: Int?
      while state.bytes + entry.byteCount > capacity, !state.entries.isEmpty {
        free = evict(&state)
      }
      state.entries[key] = entry
      state.bytes += entry.byteCount
      // The newcomer takes the slot of the last to go, behind the hand: it is looked at last.
      if let free { state.ring[free] = key } else { state.ring.append(key) }
    }
  }

  /// Forgets blocks of segments that are no longer part of the store.
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

  /// Lets go of one block and returns its slot in the ring; a block that was wanted since the
  /// hand last passed gets a second chance (the clock algorithm).
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
