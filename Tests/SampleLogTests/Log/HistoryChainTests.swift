import Testing

@testable import SampleLog

/// The start of the checksum chain of a store's history.
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

  @Test func `A log that continues no history begins a chain that is equal in every copy`() {
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

  @Test func `A frame is the same in every copy except for the salt and the durable position`() {
    let header = FrameHeader(
      storedLength: 100, rawLength: 200, first: 7, count: 3, durableThrough: 6, time: 1,
      payloadChecksum: 5, salt: 9)
    let copy = header.inLog(salt: 8, durableThrough: 2)
    #expect(copy != header)
    #expect(copy.withoutLog == header.withoutLog)
    var chains = [HistoryChain(value: 1), HistoryChain(value: 1)]
    chains[0].append(header)
    chains[1].append(copy)
    #expect(chains[0].value == chains[1].value)
  }

  @Test func `A log's chain continues with each commit and in the next log`() throws {
    let files = MemoryFileSystem()
    let database = try Database.inMemory(files)
    var ends = [try database.historyEnd]
    for value in [1.0, 2] {
      try database.save(value: value)
      ends.append(try database.historyEnd)
    }
    #expect(Set(ends.map(\.chain.value)).count == 3)
    try database.seal()
    #expect(try database.historyEnd.chain == ends[2].chain)
    try database.save(value: 3)
    let end = try database.historyEnd
    try database.close()
    #expect(try Database.inMemory(files).historyEnd == end)
  }

  @Test func `A chain is never 0, which marks a log that continues no history`() {
    #expect(HistoryChain(value: 0).value == 1)
  }
}
