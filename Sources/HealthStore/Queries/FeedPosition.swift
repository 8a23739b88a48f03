/// A reader's place in the log and whether the bell has rung for it, as a value.
///
/// Starts as reading. Commits that do not concern the reader move its place on, so that a reader
/// of a quiet type is never overtaken by the forgetting of old deletions.
struct FeedPosition: Sendable {
  private enum State {
    case quiet
    case rung
    case reading(isRung: Bool)
  }

  private(set) var sequence: UInt64
  private var state = State.reading(isRung: false)

  init(_ sequence: UInt64) { self.sequence = sequence }

  /// Notes a commit that is visible; returns whether the reader must be woken for it.
  mutating func ring(_ end: UInt64, concernsReader: Bool) -> Bool {
    switch state {
    case .quiet:
      if concernsReader { state = .rung } else { sequence = max(sequence, end) }
      return concernsReader
    case .rung: return false
    case .reading(let isRung):
      state = .reading(isRung: isRung || concernsReader)
      return false
    }
  }

  /// Begins to read if there may be something; returns the place to read after.
  mutating func beginReading() -> UInt64? {
    guard case .rung = state else { return nil }
    state = .reading(isRung: false)
    return sequence
  }

  /// Ends reading at a place; returns whether there may be more.
  mutating func endReading(at end: UInt64, isCut: Bool) -> Bool {
    guard case .reading(let isRung) = state else { return false }
    sequence = end
    state = isRung || isCut ? .rung : .quiet
    return isRung || isCut
  }
}
