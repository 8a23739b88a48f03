import SampleLogSimulation
import Testing

@testable import SampleLog

/// Counts and sums over many people, compared with a list of all samples.
@Suite struct PopulationTests {
  private struct Record {
    var subject: Symbol
    var id: Identifier
    var start: Double
    var end: Double
    var value: Double
    var source: Symbol
    var unit: Symbol
  }

  private struct Store {
    var database: Database
    var records: [Record] = []
    var random: Seeded

    var type: Symbol { database.symbols.intern("heartRate") }
  }

  /// Creates a store of many people in segments and in the memtable, with deletions and an erased
  /// person.
  private func makeStore(blockRowCount: Int, units: Int, subjects: Int = 30) throws -> Store {
    let database = try Database.inMemory { $0.blockRowCount = blockRowCount }
    var store = Store(database: database, random: Seeded(UInt64(blockRowCount + units)))
    let symbols = database.symbols
    for round in 0..<5 {
      var batch = Batch()
      for _ in 0..<400 {
        let start = Double(store.random.below(40_000)) / 4
        let record = Record(
          subject: symbols.intern("person \(store.random.below(subjects))"),
          id: Identifier(high: store.random.next(), low: store.random.next()), start: start,
          end: start + Double(store.random.below(3) * 10),
          // Small integers in some rounds, decimals in others, and a negative zero.
          value: round % 2 == 0
            ? Double(store.random.below(200)) : Double(store.random.below(2000) - 999) / 8,
          source: symbols.intern("source \(store.random.below(round == 1 ? 1 : 3))"),
          unit: symbols.intern("unit \(store.random.below(units))"))
        batch.add(
          subject: record.subject, type: store.type, id: record.id, start: record.start,
          end: record.end, value: record.value, unit: record.unit, source: record.source)
        batch.add(
          subject: record.subject, type: symbols.intern("other"), id: Identifier(), start: start,
          end: start, value: 1e9)
        store.records.append(record)
      }
      try database.commit(batch)
      var deletions = Batch()
      for _ in 0..<10 {
        deletions.delete(
          store.records.remove(at: store.random.below(store.records.count)).id)
      }
      try database.commit(deletions)
      if round < 4 { try database.seal() }
      if round == 1 { try database.compact() }
    }
    let gone = symbols.intern("person 3")
    try database.erase(gone)
    store.records.removeAll { $0.subject == gone }
    return store
  }

  private struct Key: Hashable {
    var interval: Int
    var subject: Symbol?
    var source: Symbol?
    var unit: Symbol
  }

  private func expected(_ query: AggregateQuery, _ records: [Record]) -> [Key: [Double]] {
    var groups: [Key: [Double]] = [:]
    for record in records {
      guard query.subjects?.contains(record.subject) ?? true,
        query.filter.start.contains(record.start), query.filter.end.contains(record.end),
        query.filter.value.map({ $0(record.unit)?.contains(record.value) ?? false }) ?? true,
        query.filter.source?(record.source) ?? true,
        let end = query.boundaries.firstIndex(where: { record.start < $0 }), end > 0
      else { continue }
      let key = Key(
        interval: end - 1,
        subject: query.grouping.contains(.subject) ? record.subject : nil,
        source: query.grouping.contains(.source) ? record.source : nil, unit: record.unit)
      groups[key, default: []].append(record.value)
    }
    return groups
  }

  private func check(_ query: AggregateQuery, _ store: Store) throws {
    let groups = expected(query, store.records)
    let found = try store.database.snapshot().aggregate(query)
    #expect(found.count == groups.count)
    for group in found {
      let key = Key(
        interval: group.interval, subject: group.subject, source: group.source, unit: group.unit)
      let values = groups[key] ?? []
      #expect(group.aggregate.count == values.count)
      #expect(abs(group.aggregate.sum - values.reduce(0, +)) < 1e-6)
      #expect(group.aggregate.minimum == values.min())
      #expect(group.aggregate.maximum == values.max())
    }
  }

  @Test(arguments: [8, 64, 4096], [1, 2])
  func `Random queries over all or some people agree with a list of all samples`(
    blockRowCount: Int, units: Int
  ) throws {
    var store = try makeStore(blockRowCount: blockRowCount, units: units)
    let symbols = store.database.symbols
    for round in 0..<Trials.count(120, quick: 40) {
      var query = AggregateQuery(type: store.type)
      if store.random.below(3) == 0 {
        // A repeated person, unknown people, and an erased one.
        query.subjects = (0..<store.random.below(12)).map { _ in
          symbols.intern("person \(store.random.below(35))")
        }
      }
      switch store.random.below(4) {
      case 0: break
      case 1: query.boundaries = stride(from: 0.0, through: 10_000, by: 86.5).map { $0 }
      case 2: query.boundaries = [1000, 1000.25, 4000, 4000, 9000]
      default: query.boundaries = [0, 2500, 5000, 7500]
      }
      query.grouping = AggregateQuery.Grouping(rawValue: UInt8(store.random.below(4)))
      if store.random.below(3) == 0 {
        query.filter.start = Bounds.from(Double(store.random.below(5000))).intersection(
          .below(Double(store.random.below(12_000))))
      }
      if store.random.below(4) == 0 { query.filter.end = .through(6000) }
      if store.random.below(2) == 0 {
        let least = Double(store.random.below(220)) - 20.5
        query.filter.value = { _ in round % 2 == 0 ? .above(least) : Bounds(lower: 0, upper: least)
        }
      }
      if store.random.below(4) == 0 {
        let source = symbols.intern("source 1")
        query.filter.source = { $0 == source }
      }
      try check(query, store)
    }
  }

  @Test func `Groups with more than sixteen intervals and people are distinct and ordered`()
    throws
  {
    let store = try makeStore(blockRowCount: 64, units: 1)
    var query = AggregateQuery(type: store.type)
    query.boundaries = (0...2000).map { Double($0) * 5 }
    query.grouping = [.subject, .source]
    try check(query, store)
    let found = try store.database.snapshot().aggregate(query)
    let order = found.map { [Int($0.subject ?? 0), Int($0.source ?? 0), $0.interval] }
    #expect(order == order.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test
  func `Counts are empty without an interval, without a person, and for an unknown type`() throws {
    let store = try makeStore(blockRowCount: 64, units: 1)
    let snapshot = store.database.snapshot()
    var query = AggregateQuery(type: store.type)
    query.boundaries = [5]
    #expect(try snapshot.aggregate(query).isEmpty)
    query = AggregateQuery(type: store.type)
    query.subjects = []
    #expect(try snapshot.aggregate(query).isEmpty)
    #expect(
      try snapshot.aggregate(AggregateQuery(type: store.database.symbols.intern("no"))).isEmpty)
  }

  @Test func `A block that only dates cut is aggregated up to the cut`() throws {
    let database = try Database.inMemory { $0.blockRowCount = 256 }
    var batch = Batch()
    let key = database.key("heartRate")
    let unit = database.symbols.intern("count/min")
    for second in 0..<1000 {
      batch.add(to: key, start: Double(second), value: Double(second % 90), unit: unit)
    }
    try database.commit(batch)
    for step in 0..<2 {
      let snapshot = database.snapshot()
      for (lower, upper) in [(100.0, 612.0), (255, 256), (256, 257), (-5, 0.5), (999, 2000)] {
        var filter = RowFilter()
        filter.start = .below(upper)
        filter.end = .from(lower)
        var (count, sum, bounds) = (0, 0.0, ClosedRange<Double>?.none)
        for block in try snapshot.blocks(key, where: filter, columns: .value) {
          let block = block.withValues()
          let starts = try #require(snapshot.startsSelected(of: block, by: filter))
          let boundaries = [max(-1000, starts.lower), min(500.5, starts.upper.nextUp)]
          let covered = try snapshot.aggregate(block, boundaries: boundaries) {
            #expect($0 == 0)
            count += $1.count
            sum += $1.sum
          }
          guard let covered else { continue }
          bounds =
            min(
              bounds?.lowerBound ?? .infinity, covered.lowerBound)...max(
              bounds?.upperBound ?? -.infinity, covered.upperBound)
        }
        let inside = (0..<1000).map(Double.init).filter {
          $0 >= lower && $0 < upper && $0 < 500.5
        }
        #expect(count == inside.count)
        #expect(sum == inside.reduce(0) { $0 + $1.truncatingRemainder(dividingBy: 90) })
        #expect(bounds?.lowerBound == inside.first && bounds?.upperBound == inside.last)
      }
      if step == 0 { try database.seal() }
    }
  }
}
