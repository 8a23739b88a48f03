/// Decoded blocks that were wanted lately, up to a number of bytes.
final class BlockCache: Sendable {
  private struct Key: Hashable {
    var segment: ObjectIdentifier
    var block: Int
  }

  private struct Entry {
    var block: Block
    // Keeps the segment's identity from being reused while the entry lives.
    var segment: Segment
    var isWanted: Bool
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var queue: [Key] = []
    var hand = 0
    var bytes = 0
  }

  // A decoded row of every column.
  private static let bytesPerRow = 72
  private let capacity: Int
  private let state = Locked(State())

  init(capacity: Int) { self.capacity = capacity }

  /// Returns a block with every column, decoding it when it is not here.
  func block(_ segment: Segment, _ index: Int) throws -> Block {
    let key = Key(segment: ObjectIdentifier(segment), block: index)
    let known = state.withLock { state -> Block? in
      guard let entry = state.entries[key] else { return nil }
      if !entry.isWanted { state.entries[key]?.isWanted = true }
      return entry.block
    }
    if let known { return known }
    let block = try segment.block(index, .all)
    state.withLock { state in
      guard state.entries[key] == nil else { return }
      state.entries[key] = Entry(block: block, segment: segment, isWanted: false)
      state.queue.append(key)
      state.bytes += block.count * Self.bytesPerRow
      while state.bytes > capacity, state.entries.count > 1 { evict(&state) }
    }
    return block
  }

  /// Forgets blocks of segments that are no longer part of the store.
  func forget(_ segments: [Segment]) {
    let gone = Set(segments.map(ObjectIdentifier.init))
    state.withLock { state in
      for key in state.queue where gone.contains(key.segment) {
        if let entry = state.entries.removeValue(forKey: key) {
          state.bytes -= entry.block.count * Self.bytesPerRow
        }
      }
      state.queue.removeAll { gone.contains($0.segment) }
      state.hand = 0
    }
  }

  /// Gives each block a second chance before it goes (the clock algorithm).
  private func evict(_ state: inout State) {
    if state.hand >= state.queue.count { state.hand = 0 }
    let key = state.queue[state.hand]
    if state.entries[key]?.isWanted == true {
      state.entries[key]?.isWanted = false
      state.hand += 1
    } else {
      if let entry = state.entries.removeValue(forKey: key) {
        state.bytes -= entry.block.count * Self.bytesPerRow
      }
      state.queue.swapAt(state.hand, state.queue.count - 1)
      state.queue.removeLast()
    }
  }
}
