import SampleLog
import Testing

/// Feeds of ordered samples, which are read block by block.
@Suite struct OpenBlocksTests {
  @Test func `A page of more blocks than stay open has every row`() throws {
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
    let changes = try database.snapshot().changes(after: .beginning).changes
    #expect(changes.map(\.row.value) == (0..<20_000).map(Double.init))
  }

  @Test func `Alternating blocks stay open while others are closed`()
    throws
  {
    let database = try Database.inMemory { $0.blockRowCount = 64 }
    let keys = [database.key("heartRate"), database.key("steps")]
    var batch = Batch()
    // Half a block apart, one of the two is in use whenever the other's next block is opened.
    let order = [Int](repeating: 0, count: 32) + (0..<20_000).map { $0 % 2 }
    for (number, place) in order.enumerated() {
      batch.add(
        subject: keys[place].subject, type: keys[place].type,
        id: Identifier(high: 3, low: UInt64(number)), start: Double(number), end: Double(number),
        value: Double(number))
    }
    try database.commit(batch)
    try database.seal()
    let changes = try database.snapshot().changes(after: .beginning).changes
    #expect(changes.map(\.row.value) == order.indices.map(Double.init))
  }
}
