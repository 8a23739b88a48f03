import Testing

@testable import HealthStore

@Suite struct DescriptorsFeedTests {
  @Test func `a reader is woken once for any number of commits`() {
    let position = Reader()
    #expect(position.endReading(at: 3, isCut: false) == false)
    #expect(position.ring(5, concernsReader: true))
    #expect(!position.ring(6, concernsReader: true))
    #expect(position.beginReading() == 3)
    #expect(position.beginReading() == nil)
  }

  @Test func `commits of others move a quiet reader's place on`() {
    let position = Reader()
    _ = position.endReading(at: 3, isCut: false)
    #expect(!position.ring(9, concernsReader: false))
    #expect(position.sequence == 9)
    #expect(position.ring(12, concernsReader: true))
    #expect(!position.ring(15, concernsReader: false))
    #expect(position.beginReading() == 9)
  }

  @Test func `a commit while reading is not forgotten`() {
    let position = Reader()
    #expect(!position.ring(4, concernsReader: true))
    #expect(position.endReading(at: 2, isCut: false))
    #expect(position.beginReading() == 2)
    #expect(!position.ring(5, concernsReader: false))
    #expect(!position.endReading(at: 4, isCut: false))
  }

  @Test func `a page that a limit cut is read on`() {
    let position = Reader()
    #expect(position.endReading(at: 2, isCut: true))
    #expect(position.beginReading() == 2)
  }

  @Test func `a feed that ended unheard tells its reason once`() throws {
    var state = ChangeFeedState()
    let isFirst = state.beginFirst()
    #expect(isFirst)
    let isFirstAgain = state.beginFirst()
    #expect(!isFirstAgain)
    let waiter = state.end(CancellationError())
    #expect(waiter == nil)
    #expect(throws: CancellationError.self) { try state.checkEnd() }
    let hasEnded = try state.checkEnd()
    #expect(hasEnded)
  }

  @Test func `a second reader of one iterator is refused`() async throws {
    var state = ChangeFeedState()
    try await withCheckedThrowingContinuation { (first: ChangeFeedState.Waiter) in
      guard case .wait = state.wait(first) else {
        Issue.record("the first reader does not wait")
        return first.resume()
      }
      if case .fail(let error) = state.wait(first) {
        #expect(error is ChangeFeedState.SecondReader)
      } else {
        Issue.record("the second reader was let in")
      }
      state.ring()?.resume()
    }
  }
}

/// A position that an expectation can change, which it cannot do with a value.
private final class Reader {
  private var position = FeedPosition(0)

  var sequence: UInt64 { position.sequence }

  func ring(_ end: UInt64, concernsReader: Bool) -> Bool {
    position.ring(end, concernsReader: concernsReader)
  }

  func beginReading() -> UInt64? { position.beginReading() }

  func endReading(at end: UInt64, isCut: Bool) -> Bool {
    position.endReading(at: end, isCut: isCut)
  }
}
