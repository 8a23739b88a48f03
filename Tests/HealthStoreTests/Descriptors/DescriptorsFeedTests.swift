import Testing

@testable import HealthStore

@Suite struct DescriptorsFeedTests {
  @Test func `a failed feed throws its error once`() throws {
    var state = DescriptorFeedState.quiet
    let waiter = state.end(CancellationError())
    #expect(waiter == nil)
    #expect(throws: CancellationError.self) { try state.checkEnd() }
    let hasEnded = try state.checkEnd()
    #expect(hasEnded)
  }

  @Test func `a notification before the reader waits is not lost`() async throws {
    var state = DescriptorFeedState.quiet
    #expect(state.notify() == nil)
    try await withCheckedThrowingContinuation { (reader: DescriptorFeedState.Waiter) in
      guard case .go = state.wait(reader) else {
        Issue.record("the reader waits")
        return
      }
      reader.resume()
    }
  }

  @Test func `a second reader of one iterator is refused`() async throws {
    var state = DescriptorFeedState.quiet
    try await withCheckedThrowingContinuation { (first: DescriptorFeedState.Waiter) in
      guard case .wait = state.wait(first) else {
        Issue.record("the first reader does not wait")
        return first.resume()
      }
      if case .fail(let error) = state.wait(first) {
        #expect(error is DescriptorFeedState.SecondReader)
      } else {
        Issue.record("the second reader was accepted")
      }
      state.notify()?.resume()
    }
  }
}
