import FoundationEssentials
import SampleLog
import SampleLogSimulation
import Testing

/// Ranges of values select the same rows as comparing each value.
@Suite struct ValueFilterTests {
  private struct Row {
    var id: Identifier
    var value: Double
    var unit: String
  }

  private static let bounds: [Bounds] =
    [62, 62.3, 61.999999, -0.0, 0, 180, 150.5, -3, .infinity, -.infinity, 1e300].flatMap {
      [
        Bounds.above($0), .from($0), .below($0), .through($0), Bounds(lower: $0, upper: $0),
        Bounds(lower: $0, upper: $0 - 1), Bounds(lower: $0, upper: $0 + 20.25),
      ]
    } + [.all]

  /// Saves values of one type: 700 in two blocks, and a few more that stay in the log.
  private func save(
    _ database: Database, units: [String], _ value: (Int, inout Seeded) -> Double
  ) throws -> [Row] {
    var random = Seeded(state: 9)
    var rows: [Row] = []
    for part in [0..<700, 700..<760] {
      var batch = Batch()
      for index in part {
        let row = Row(
          id: Identifier(UUID()), value: value(index, &random),
          unit: units[random.below(units.count)])
        let symbols = database.symbols
        batch.add(
          subject: symbols.intern("ada"), type: symbols.intern("heartRate"), id: row.id,
          start: Double(index), end: Double(index), value: row.value,
          unit: symbols.intern(row.unit), source: symbols.intern("watch"), extras: 0)
        rows.append(row)
      }
      try database.commit(batch)
      if part.lowerBound == 0 { try database.seal() }
    }
    return rows
  }

  private static let shapes: [@Sendable (Int, inout Seeded) -> Double] = [
    { _, random in Double(random.below(140)) + 45 },
    { index, random in Double(60 + index % 97) + Double(random.below(3)) },
    { _, random in Double(random.below(2000)) / 10 },
    { _, random in [Double.nan, -0.0, .infinity, -.infinity, 0, 62][random.below(6)] },
    { _, random in random.below(60) == 0 ? .nan : Double(random.below(300)) / 2 },
    { _, _ in 62 },
  ]

  @Test(arguments: shapes.indices, [["count/min"], ["count/min", "count/s"]])
  func `A range of values selects the values in it`(shape: Int, units: [String]) throws {
    let database = try Database.inMemory { $0.blockRowCount = 512 }
    let rows = try save(database, units: units, Self.shapes[shape])
    let key = database.key("heartRate")
    let minutes = database.symbols.intern("count/min")
    for bounds in Self.bounds {
      var filter = RowFilter()
      // The other unit applies to values sixty times as large, or to none.
      for hasOther in [true, false] {
        filter.value = { unit in
          if unit == minutes { return bounds }
          return hasOther ? Bounds(lower: bounds.lower / 60, upper: bounds.upper / 60) : nil
        }
        let expected = rows.filter { row in
          let share = row.unit == "count/min" ? 1.0 : 60
          guard share == 1 || hasOther else { return false }
          return row.value >= bounds.lower / share && row.value <= bounds.upper / share
        }
        let selected = try database.snapshot().select(
          [key], where: filter, order: .start(ascending: true))
        #expect(selected.map(\.id) == expected.map(\.id), "\(bounds)")
        let found = selected.map { $0.block.value[$0.row].bitPattern }
        #expect(found == expected.map(\.value.bitPattern), "\(bounds)")
      }
    }
  }

  @Test func `A range of values omits deleted rows and other days`() throws {
    let database = try Database.inMemory { $0.blockRowCount = 512 }
    let rows = try save(database, units: ["count/min"], Self.shapes[0])
    for row in rows.prefix(120) where row.value > 150 { try database.delete(row.id) }
    var filter = RowFilter()
    filter.value = { _ in .above(150) }
    filter.start = Bounds.from(90).intersection(.below(740))
    let expected = rows[120..<740].filter { $0.value > 150 }
    var streamed: [Identifier] = []
    try database.snapshot().stream([database.key("heartRate")], where: filter) { found in
      streamed += found.map(\.id)
      return true
    }
    #expect(streamed == expected.map(\.id))
  }
}
