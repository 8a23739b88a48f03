import SampleLog
import Testing

/// Where the checksum of a store's history begins.
@Suite struct HistoryChainTests {
  private func chain(_ change: (inout LogHeader) -> Void = { _ in }) -> UInt32 {
    var header = LogHeader(
      storeID: Identifier(high: 1, low: 2), epoch: 3, first: 4, salt: 5, predecessor: nil)
    change(&header)
    return HistoryChain(before: header).value
  }

  @Test(arguments: [1, 2, .max] as [UInt32])
  func `A log that continues a history begins with its chain`(history: UInt32) {
    #expect(chain { $0.history = history } == history)
  }

  @Test func `A log that continues none begins a chain that every copy of the log agrees on`() {
    let value = chain()
    #expect(value != 0)
    #expect(chain { $0.salt = 6 } == value)
    let others: Set = [
      chain { $0.storeID = Identifier(high: 2, low: 2) },
      chain { $0.storeID = Identifier(high: 1, low: 1) }, chain { $0.epoch = 4 },
      chain { $0.first = 5 },
    ]
    #expect(others.count == 4 && !others.contains(value))
  }

  @Test func `A chain is never 0, which says that a log continues none`() {
    #expect(HistoryChain(value: 0).value == 1)
  }
}
