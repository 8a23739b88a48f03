/// Blocks that were wanted lately, up to a number of bytes: decoded, for reading many rows, or as
/// they are stored, a tenth of the size, for picking out single ones.
final class BlockCache: Sendable {
  private struct Key: Hashable {
    var segment: ObjectIdentifier
    var block: Int
    var isStored = false
  }

  /// What is here of a block.
  enum Content {
    case decoded(Block)
    case stored(StoredRows)

    fileprivate var byteCount: Int {
      switch self {
      case .decoded(let block): block.count * BlockCache.bytesPerRow
      case .stored(let rows): rows.byteCount
      }
    }
  }

  private struct Entry {
    var content: Content
    // Keeps the segment's identity from being reused while the entry lives.
    var segment: Segment
    var isWanted: Bool
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    // Empty places are those of blocks that had to go for a larger one.
    var ring: [Key?] = []
    var hand = 0
    var bytes = 0

    mutating func content(
      _ segment: Segment, _ index: Int, isStored: Bool, isWanted: Bool = true
    ) -> Content? {
      let key = Key(segment: ObjectIdentifier(segment), block: index, isStored: isStored)
      guard let place = entries.index(forKey: key) else { return nil }
      if isWanted { entries.values[place].isWanted = true }
      return entries.values[place].content
    }
  }

  // A decoded row of every column.
  static let bytesPerRow = 72
  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  /// Returns a block with every column, decoding it when it is not here.
  func block(_ segment: Segment, _ index: Int) throws -> Block {
    if let known = known(segment, index) { return known }
    let block = try segment.block(index, .all)
    keep(.decoded(block), Key(segment: ObjectIdentifier(segment), block: index), segment)
    return block
  }

  /// Returns one row of a block, with its identifier if that is known, from what has been found
  /// here of the block.
  func row(
    _ segment: Segment, _ place: (block: Int, row: Int), id: Identifier?, _ found: Content?
  ) throws -> RowReference {
    let rows: StoredRows
    switch found {
    case .decoded(let block): return RowReference(block, place.row)
    case .stored(let known): rows = known
    case nil:
      rows = try segment.storedRows(place.block)
      let key = Key(segment: ObjectIdentifier(segment), block: place.block, isStored: true)
      keep(.stored(rows), key, segment)
    }
    return RowReference(try segment.row(place.row, of: rows, id: id), 0)
  }

  /// Returns a block that is here already.
  func known(_ segment: Segment, _ index: Int) -> Block? {
    state.withLock { state in
      guard case .decoded(let block)? = state.content(segment, index, isStored: false) else {
        return nil
      }
      return block
    }
  }

  /// What is here of a block, for a row of it.
  ///
  /// A row is no reason to keep a block decoded: as it is stored it takes a twentieth.
  func content(_ segment: Segment, _ index: Int) -> Content? {
    state.withLock { state in
      state.content(segment, index, isStored: false, isWanted: false)
        ?? state.content(segment, index, isStored: true)
    }
  }

  private func keep(_ content: Content, _ key: Key, _ segment: Segment) {
    let size = content.byteCount
    state.withLock { state in
      guard state.entries[key] == nil, !segment.isRetired else { return }
      var free: Int?
      while state.bytes + size > capacity, !state.entries.isEmpty { free = evict(&state) }
      state.entries[key] = Entry(content: content, segment: segment, isWanted: false)
      state.bytes += size
      // The newcomer takes the place of the last to go, behind the hand: it is looked at last.
      if let free { state.ring[free] = key } else { state.ring.append(key) }
    }
  }

  /// Forgets blocks of segments that are no longer part of the store.
  func forget(_ segments: [Segment]) {
    let gone = Set(segments.map(ObjectIdentifier.init))
    state.withLock { state in
      for key in state.ring.compactMap({ $0 }) where gone.contains(key.segment) {
        if let entry = state.entries.removeValue(forKey: key) {
          state.bytes -= entry.content.byteCount
        }
      }
      state.ring.removeAll { $0.map { gone.contains($0.segment) } ?? true }
      state.hand = 0
    }
  }

  /// Lets go of one block and returns its place in the ring; a block that was wanted since the
  /// hand last passed gets a second chance (the clock algorithm).
  private func evict(_ state: inout State) -> Int {
    while true {
      if state.hand >= state.ring.count { state.hand = 0 }
      let place = state.hand
      state.hand += 1
      guard let key = state.ring[place] else { continue }
      if state.entries[key]?.isWanted == true {
        state.entries[key]?.isWanted = false
        continue
      }
      if let entry = state.entries.removeValue(forKey: key) {
        state.bytes -= entry.content.byteCount
      }
      state.ring[place] = nil
      return place
    }
  }
}
