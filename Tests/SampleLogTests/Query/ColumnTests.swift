import FoundationEssentials
import SampleLog
import SampleLogSimulation
import Testing

/// The columns and rows of the public interface equal the engine's.
@Suite struct ColumnTests {
  /// Creates rows of several subjects, sealed and unsealed, with columns that differ by row.
  private func makeDatabase(_ seed: UInt64) throws -> Database {
    let database = try Database.inMemory()
    var random = Seeded(seed)
    var extras = Extras()
    for round in 0..<4 {
      var batch = database.makeBatch()
      for row in 0..<300 {
        let key = database.series(
          subject: "subject\(random.below(3))", type: "type\(random.below(5))")
        let start = Double(random.below(10_000))
        extras.metadata = random.below(2) == 0 ? [] : [UInt8(row % 7)]
        batch.add(
          to: key, start: start, end: start + Double(random.below(10)),
          value: Double(random.below(100)),
          unit: database.name("unit\(random.below(3))"),
          source: database.name("source\(random.below(3))"),
          device: database.name("device\(random.below(3))"),
          extras: batch.intern(extras: extras.encoded))
      }
      try database.commit(batch)
      if round == 2 { try database.seal() }
    }
    let some = try database.snapshot().select(database.snapshot().series).filter { $0.value < 5 }
    var batch = Batch()
    for row in some { batch.delete(row.id) }
    try database.commit(batch)
    return database
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `Scanned columns equal the selected rows`(seed: UInt64) throws {
    let database = try makeDatabase(seed)
    let snapshot = database.snapshot()
    var random = Seeded(seed)
    var dates = RowFilter()
    dates.start = Bounds(
      lower: Double(random.below(5000)), upper: 5000 + Double(random.below(5000)))
    var odd = dates
    odd.require { Int($0.value) % 2 == 1 }
    for filter in [RowFilter(), dates, odd] {
      for series in [snapshot.allSeries, nil] {
        var rows: [UInt64: Row] = [:]
        for row in try snapshot.select(snapshot.series, where: filter) { rows[row.sequence] = row }
        var count = 0
        try snapshot.scan(
          series, where: filter, reading: .sequence, .id, .start, .end, .value, .series, .unit,
          .source, .device
        ) { sequences, ids, starts, ends, values, keys, units, sources, devices in
          for (index, sequence) in sequences.enumerated() {
            let row = try #require(rows[sequence])
            #expect(ids[index] == row.id && keys[index] == row.series)
            #expect(starts[index] == row.start && ends[index] == row.end)
            #expect(values[index] == row.value && units[index] == row.unit)
            #expect(sources[index] == row.source && devices[index] == row.device)
            #expect(row.kind == .sample && row.deletedSequence == nil && row.deletionTime == nil)
          }
          count += sequences.count
          return true
        }
        #expect(count == rows.count && count > 0)
        var sum = 0.0
        try snapshot.scan(series, where: filter, reading: .value) { values in
          sum += values.reduce(0, +)
          return true
        }
        #expect(sum == rows.values.reduce(0) { $0 + $1.value })
      }
    }
  }

  @Test func `A row condition is added to those of a filter`() throws {
    let database = try makeDatabase(1)
    let snapshot = database.snapshot()
    var filter = RowFilter()
    filter.require { $0.value >= 20 }
    filter.require { $0.value < 40 }
    let found = try snapshot.select(snapshot.series, where: filter)
    let all = try snapshot.select(snapshot.series)
    #expect(found.count == all.count { (20..<40).contains($0.value) } && found.count > 0)
  }

  @Test func `A deletion has the sample's identifier, its time, and the sample's columns`() throws {
    let database = try Database.inMemory { $0.clock = { 700 } }
    var extras = Extras()
    extras.metadata = [1, 2, 3]
    var batch = Batch()
    batch.add(
      to: database.key("weight"), start: 5, value: 62,
      extras: batch.intern(extras: extras.encoded))
    try database.commit(batch)
    let row = try #require(try database.snapshot().newest(database.key("weight")))
    #expect(Extras(row.extras) == extras)
    let date = Date(timeIntervalSinceReferenceDate: 5)
    #expect(row.startDate == date && row.endDate == date)
    row.withMetadata { bytes in
      #expect(bytes.withUnsafeBytes { [UInt8]($0) } == [1, 2, 3])
    }
    try database.delete(row.id)
    let change = try #require(
      try database.snapshot().changes(after: database.anchor(at: 1)).changes.first)
    #expect(change.kind == .deletion && change.row.deletedSequence == row.sequence)
    #expect(change.row.deletionTime == 700 && change.row.value == 62 && change.row.id == row.id)
  }

  @Test func `Iterating and enumerating a selection give the same rows`() throws {
    let database = try makeDatabase(2)
    let rows = try database.snapshot().select(database.snapshot().series)
    var walked: [UInt64] = []
    rows.forEachRow { row in walked.append(row.sequence) }
    #expect(walked == rows.map(\.sequence) && walked.count > 500)
  }

  @Test func `A scan adds up columns that are read together`() throws {
    let database = try Database.inMemory()
    let heartRate = database.series(subject: "ada", type: "heartRate")
    var batch = database.makeBatch()
    for value in 1...3 { batch.add(to: heartRate, start: Double(value), value: 10) }
    try database.commit(batch)
    let snapshot = database.snapshot()
    func weight(_ start: Double) -> Double { start }

    var sum = 0.0
    try snapshot.scan([heartRate], reading: .start, .value) { starts, values in
      for (start, value) in zip(starts, values) { sum += weight(start) * value }
      return true
    }
    #expect(sum == 60)
  }
}
