import Testing

@testable import SampleLog

/// The observers that a commit notifies.
@Suite struct CommitNotifierTests {
  @Test func `A commit that touches no series notifies no observer`() {
    let notifier = CommitNotifier(SymbolTable())
    let ends = Locked<[UInt64]>([])
    _ = notifier.add(nil) { notice in ends.withLock { $0.append(notice.end) } }
    notifier.notify(before: 0, end: 1, touched: [])
    #expect(ends.withLock { $0 } == [])
    notifier.notify(before: 1, end: 2, touched: [SeriesKey(subject: 1, type: 2)])
    #expect(ends.withLock { $0 } == [2])
  }
}
