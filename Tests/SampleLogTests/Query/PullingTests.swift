import SampleLog
import SampleLogSimulation
import Testing

/// Cursors and streams return the rows of scans and selections.
@Suite struct PullingTests {
  /// Creates series with overlapping blocks in two segments and in memory, and deleted samples.
  private func makeDatabase(_ random: inout Seeded) throws -> (Database, keys: [SeriesKey]) {
    let database = try Database.inMemory { $0.blockRowCount = 8 }
    let keys = (0..<4).map { database.key("type\($0)") }
    var ids: [Identifier] = []
    for round in 0..<300 {
      let start = Double(random.below(1_000))
      ids.append(
        try database.save("type\(random.below(4))", start: start, value: Double(round)))
      if round % 120 == 119 { try database.seal() }
      if round % 7 == 0 { try database.delete(ids.remove(at: random.below(ids.count))) }
    }
    return (database, keys)
  }

  @Test(arguments: 0..<Trials.count(40, quick: 4))
  func `A cursor returns the rows of a scan, and a stream those of a selection`(seed: Int) throws {
    var random = Seeded(mixing: UInt64(seed), 101)
    let (database, keys) = try makeDatabase(&random)
    let snapshot = database.snapshot()
    var filter = RowFilter()
    if seed % 2 == 1 { filter.start = .from(Double(random.below(900))) }
    let selection = SeriesSelection(keys, where: filter)
    let selected = try snapshot.select(selection, order: .start(ascending: true))
    let cursor = try BlockCursor(snapshot, selection, columns: .value) { block, rows in
      rows.map { block.value[Int($0)] }
    }
    var found: [Double] = []
    while let values = try cursor.next() {
      #expect(!values.isEmpty)
      found += values
    }
    #expect(found.sorted() == selected.map(\.value).sorted())
    #expect(try cursor.next() == nil)
    let stream = try RowStream(snapshot, selection, columns: .value)
    var ordered: [Double] = []
    while let rows = try stream.next() { rows.forEachRow { ordered.append($0.value[$1]) } }
    #expect(ordered == selected.map(\.value))
    #expect(try stream.next() == nil)
  }

  @Test func `A cursor can stop at any block and skip blocks`() throws {
    var random = Seeded(mixing: 1, 102)
    let (database, keys) = try makeDatabase(&random)
    let snapshot = database.snapshot()
    for count in 0..<40 {
      let cursor = try BlockCursor(snapshot, SeriesSelection(keys), columns: []) { $1.count }
      for _ in 0..<count { _ = try cursor.next() }
    }
    let none = try BlockCursor(
      snapshot, SeriesSelection(keys), columns: [], where: { _ in false }
    ) { $1.count }
    #expect(try none.next() == nil)
    let counts = snapshot.rowCounts
    #expect(Set(counts.keys) == Set(keys))
    // Counts may include deleted rows.
    let live = try snapshot.select(SeriesSelection(keys)).count
    #expect((live...300).contains(counts.values.reduce(0, +)))
    #expect(try (live...300).contains(snapshot.estimatedRowCount(SeriesSelection(keys))))
  }
}
