import FoundationEssentials
import SampleLog
import SampleLogSimulation
import Synchronization
import Testing

/// The sources of a selection are those of its rows.
@Suite struct SourcesTests {
  @Test(arguments: 0..<8)
  func `Sources are those of the selected rows, whatever is deleted`(seed: UInt64) throws {
    var random = Seeded(mixing: 77, seed)
    let database = try Database.inMemory()
    let types = ["heartRate", "steps"]
    for round in 0..<4 {
      for _ in 0..<40 {
        let id = try database.save(
          types[random.below(2)], start: Double(random.below(1000)),
          value: Double(random.below(200)), source: "source \(random.below(round + 2))")
        if random.oneIn(3) { try database.delete(id) }
      }
      if round < 3 { try database.seal() }
    }
    let snapshot = database.snapshot()
    for _ in 0..<40 {
      var filter = RowFilter()
      let start = Double(random.below(1000))
      if random.oneIn(2) { filter.start = Bounds(lower: start, upper: start + 60) }
      if random.oneIn(4) { filter.value = { _ in .above(150) } }
      if random.oneIn(4) { filter.condition = { block, row in block.value[row] < 40 } }
      if random.oneIn(4) { filter.source = { $0 % 2 == 0 } }
      let keys = types.prefix(random.below(2) + 1).map { database.key($0) }
      let rows = try snapshot.select(keys, where: filter)
      let found = try snapshot.sources(of: SeriesSelection(keys, where: filter))
      #expect(found == Set(rows.map { $0.block.source[$0.row] }))
    }
  }

  @Test func `A condition is not evaluated for rows of a source that was already found`() throws {
    let database = try Database.inMemory()
    for index in 0..<500 {
      try database.save(start: Double(index), source: "source \(index % 2)")
      if index % 100 == 99 { try database.seal() }
    }
    let asked = Mutex(0)
    var filter = RowFilter()
    filter.condition = { _, _ in
      asked.withLock { $0 += 1 }
      return true
    }
    let selection = SeriesSelection([database.key("heartRate")], where: filter)
    #expect(try database.snapshot().sources(of: selection).count == 2)
    // The rows of the first block, whose sources are unknown before it is read.
    #expect(asked.withLock { $0 } == 100)
  }

  @Test func `A row without a source has symbol 0, and an empty selection has no sources`() throws {
    let database = try Database.inMemory()
    let key = database.key("heartRate")
    #expect(try database.snapshot().sources(of: SeriesSelection([key])).isEmpty)
    var batch = Batch()
    batch.add(
      subject: key.subject, type: key.type, id: Identifier(UUID()), start: 0, end: 0, value: 1)
    try database.commit(batch)
    #expect(try database.snapshot().sources(of: SeriesSelection([key])) == [0])
  }
}
