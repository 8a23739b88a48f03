import BenchmarkKit
import Foundation
import HealthStore
import SampleLog
import Testing

extension Twins {
  /// Runs one random query for a person through HealthKit's interface.
  func compareObjects(_ random: inout Dice) async throws {
    let subject = random.below(subjects.count)
    let types = random.subset(of: SampleRow.types.count)
    var predicates: [HKSamplePredicate<HKQuantitySample>] = []
    var parts: [String] = []
    for type in types {
      let condition = RandomCondition(&random, depth: 3, rows: rows)
      predicates.append(
        .quantitySample(type: SampleRow.types[type], predicate: condition.predicate))
      parts.append("(type = \(type) AND \(condition.sql))")
    }
    let (sort, order) = Self.orders[random.below(Self.orders.count)]
    let limit = random.below(3) == 0 ? nil : 1 + random.below(40)
    let descriptor = HKSampleQueryDescriptor(
      predicates: predicates, sortDescriptors: sort, limit: limit)
    let found = try await descriptor.result(for: store(subject)).map(\.uuid)
    let sql =
      "SELECT sequence FROM samples WHERE person = \(subject) "
      + "AND (\(parts.joined(separator: " OR "))) ORDER BY \(order)"
    let expected = try numbers(sql, limit: limit).compactMap { sequence in uuids[sequence] }
    #expect(found == expected, "\(sql)")
  }

  /// Sort orders of both stores.
  ///
  /// Ties are sorted by start, then by sequence.
  private static var orders: [([SortDescriptor<HKQuantitySample>], String)] {
    [
      ([], "start, sequence"),
      ([SortDescriptor(\.startDate)], "start, sequence"),
      ([SortDescriptor(\.startDate, order: .reverse)], "start DESC, sequence DESC"),
      ([SortDescriptor(\.endDate)], "\"end\", sequence"),
      ([SortDescriptor(\.endDate, order: .reverse)], "\"end\" DESC, sequence DESC"),
      (
        [SortDescriptor(\.endDate), SortDescriptor(\.startDate, order: .reverse)],
        "\"end\", start DESC, sequence"
      ),
      ([SortDescriptor(\.uuid)], "uuid"),
    ]
  }

  /// Runs one random query of the engine for some people.
  func compareRows(_ random: inout Dice) throws {
    let type = random.below(SampleRow.types.count)
    let some = random.subset(of: subjects.count)
    var filter = RowFilter()
    var parts = ["type = \(type) AND person IN (\(Self.list(some)))"]
    func bounds(_ column: String, _ low: Double, _ high: Double) -> Bounds {
      switch random.below(4) {
      case 0:
        parts.append("\(column) > \(low)")
        return .above(low)
      case 1:
        parts.append("\(column) < \(high)")
        return .below(high)
      case 2:
        parts.append("\(column) BETWEEN \(min(low, high)) AND \(max(low, high))")
        return Bounds(lower: min(low, high), upper: max(low, high))
      default: return .all
      }
    }
    let dates = (0..<4).map { _ in SampleRow.randomDate(&random) }
    let values = (0..<2).map { _ in SampleRow.randomValue(&random) }
    filter.start = bounds("start", dates[0], dates[1])
    filter.end = bounds("\"end\"", dates[2], dates[3])
    let value = bounds("value", values[0], values[1])
    if !value.isAll { filter.require(value: value) }
    let orders: [(RowOrder, String)] = [
      (.start(ascending: true), "start, sequence"),
      (.start(ascending: false), "start DESC, sequence DESC"),
      (.end(ascending: true), "\"end\", sequence"),
      (.end(ascending: false), "\"end\" DESC, sequence DESC"),
    ]
    let (order, text) = orders[random.below(orders.count)]
    let limit = random.below(3) == 0 ? nil : 1 + random.below(40)
    let found = try database.snapshot().select(
      some.map { series($0, type) }, where: filter, order: order, limit: limit
    ).map(\.sequence)
    let sql =
      "SELECT sequence FROM samples WHERE \(parts.joined(separator: " AND ")) "
      + "ORDER BY \(text)"
    let expected = try numbers(sql, limit: limit)
    #expect(found == expected, "\(sql)")
  }

  /// Sums the values of one type of some people, or of everybody, between random dates.
  func compareAggregates(_ random: inout Dice) throws {
    let type = random.below(SampleRow.types.count)
    let some = random.below(3) == 0 ? nil : random.subset(of: subjects.count)
    let whose = some.map { " AND person IN (\(Self.list($0)))" } ?? ""
    let boundaries = Set((0..<2 + random.below(8)).map { _ in SampleRow.randomDate(&random) })
      .sorted()
    guard boundaries.count > 1 else { return }
    var query = AggregateQuery(
      type: series(0, type).type, subjects: some?.map { series($0, type).subject })
    query.boundaries = boundaries
    var found = [Aggregate](repeating: Aggregate(), count: boundaries.count - 1)
    for group in try database.snapshot().aggregate(query) {
      #expect(found[group.interval].count == 0, "One unit is one group")
      found[group.interval] = group.aggregate
    }
    for (index, aggregate) in found.enumerated() {
      let sql =
        "SELECT count(*), coalesce(sum(value), 0.0), min(value), max(value) FROM samples "
        + "WHERE type = \(type) AND start >= \(boundaries[index]) "
        + "AND start < \(boundaries[index + 1])\(whose)"
      let statement = try sqlite.prepare(sql)
      guard try statement.step() else { continue }
      #expect(aggregate.count == Int(statement.integer(0)), "\(sql)")
      #expect(aggregate.sum == statement.double(1), "\(sql)")
      try duckdb?.prepare(sql).run { chunk in
        #expect(chunk.column(0, of: Int64.self)[0] == statement.integer(0), "DuckDB: \(sql)")
        let values = (1..<4).map { chunk.column($0, of: Double.self)[0] }
        guard aggregate.count > 0 else { return }
        #expect(values == (1..<4).map { statement.double($0) }, "DuckDB: \(sql)")
      }
      guard aggregate.count > 0 else { continue }
      #expect(aggregate.minimum == statement.double(2), "\(sql)")
      #expect(aggregate.maximum == statement.double(3), "\(sql)")
    }
  }

  private static func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ",")
  }

  /// Reads the changes of some people and types after a random sequence number.
  func compareChanges(_ random: inout Dice) throws {
    let types = random.subset(of: SampleRow.types.count)
    let some = random.subset(of: subjects.count)
    let anchor = UInt64(random.below(Int(database.end) + 1))
    let limit = random.below(2) == 0 ? nil : 1 + random.below(60)
    let page = try database.snapshot().changes(
      after: database.anchor(at: anchor),
      in: some.flatMap { subject in types.map { series(subject, $0) } }, limit: limit)
    let found = page.changes.map { $0.kind == .deletion ? $0.sequence * 2 + 1 : $0.sequence * 2 }
    let those =
      "sequence > \(anchor) AND type IN (\(Self.list(types))) AND person IN (\(Self.list(some)))"
    let sql =
      "SELECT sequence * 2 FROM samples WHERE \(those) "
      + "UNION SELECT sequence * 2 + 1 FROM deletions WHERE \(those) ORDER BY 1"
    let expected = try numbers(sql, limit: limit)
    #expect(found == expected, "\(sql)")
  }
}
