import SampleLog
import Testing

/// Feeds of samples in order, which are read block by block.
@Suite struct OpenBlocksTests {
  @Test func `A page of more blocks than are kept open has every row`() throws {
    let database = try Database.inMemory { $0.blockRowCount = 64 }
    let key = database.key("heartRate")
    var batch = Batch()
    for number in 0..<20_000 as Range<UInt64> {
      batch.add(
        subject: key.subject, type: key.type, id: Identifier(high: 3, low: number),
        start: Double(number), end: Double(number), value: Double(number))
    }
    try database.commit(batch)
    try database.seal()
    let changes = try database.snapshot().changes(after: 0).changes
    #expect(changes.map(\.row.value) == (0..<20_000).map(Double.init))
  }
}
