import Foundation
internal import SampleLog
private import Synchronization

/// Evaluates the queries of a cohort.
///
/// Blocks the calling thread.
struct CohortReader: Sendable {
  private let reader: StoreReader
  private let subjects: [Symbol]?
  private static let mostIntervals = 1 << 22

  init(_ reader: StoreReader, _ subjects: [String]?) throws {
    if reader.store.isClosed { throw StoreError.closed }
    self.reader = reader
    self.subjects = subjects.map { Array(Set($0.map { reader.names.symbol($0) })) }
  }

  func totals(
    _ type: HKQuantityType, _ condition: SampleCondition, _ grid: StatisticsGrid?,
    _ grouping: HealthCohort.Grouping
  ) throws -> [CohortTotal] {
    if condition.asksForWorkout {
      throw HKError.make(
        .errorInvalidArgument, "Workouts are of one person; a cohort cannot be asked by them.")
    }
    let (database, rows) = (reader.store.database, reader.store.reader)
    let snapshot = database.snapshot()
    guard let filter = ConditionPlanner.filter(condition, type, rows, nil, snapshot: { snapshot })
    else { return [] }
    var query = AggregateQuery(type: reader.names.symbol(type.identifier))
    query.subjects = subjects
    query.filter = filter
    if grouping.contains(.subject) { query.grouping.insert(.subject) }
    if grouping.contains(.source) { query.grouping.insert(.source) }
    var first = 0
    if let grid {
      guard let bounds = try snapshot.startDates(of: query) else { return [] }
      first = grid.index(at: bounds.lowerBound)
      let last = grid.index(at: bounds.upperBound)
      guard last - first < Self.mostIntervals else {
        throw HKError.make(
          .errorInvalidArgument, "The samples lie in more than \(Self.mostIntervals) intervals.")
      }
      var cursor = IntervalCursor(grid)
      query.boundaries = (first...last + 1).map { cursor.boundary($0) }
    }
    var totals = CohortTotals(type, rows, isCumulative: type.aggregationStyle == .cumulative)
    try totals.add(try snapshot.aggregate(query))
    return totals.values(of: database.symbols) { interval in
      guard grid != nil else { return (.distantPast, .distantFuture) }
      let dates = query.boundaries[interval...interval + 1].map(StatisticsGrid.date)
      return (dates[0], dates[1])
    }
  }

  /// Returns a function that extracts the value of a single statistic, or nil if `options` is not
  /// one.
  static func value(
    of options: HKStatisticsOptions
  ) -> (@Sendable (HKStatistics) -> HKQuantity?)? {
    switch options {
    case .cumulativeSum: { $0.sumQuantity() }
    case .discreteAverage: { $0.averageQuantity() }
    case .discreteMin: { $0.minimumQuantity() }
    case .discreteMax: { $0.maximumQuantity() }
    case .mostRecent: { $0.mostRecentQuantity() }
    case .duration: { $0.duration() }
    default: nil
    }
  }

  func statistics(
    _ request: StatisticsRequest, _ grid: StatisticsGrid,
    _ value: @Sendable (HKStatistics) -> HKQuantity?
  ) throws -> [CohortStatistics] {
    let database = reader.store.database
    let type = reader.names.symbol(request.quantityType.identifier)
    let subjects = subjects ?? database.snapshot().subjects(ofType: type)
    let unit = request.options == .duration ? HKUnit.second() : request.quantityType.canonicalUnit
    let next = Atomic(0)
    let parts = try parallelMap(min(subjects.count, ProcessInfo.processInfo.activeProcessorCount)) {
      _ in
      var found: [Date: CohortSubjects] = [:]
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        if number >= subjects.count { return found }
        let one = reader.reading(subject: subjects[number])
        for statistics in try one.collection(request, grid).statistics() {
          guard let value = value(statistics)?.doubleValue(for: unit) else { continue }
          found[statistics.startDate, default: CohortSubjects(end: statistics.endDate)].add(value)
        }
      }
    }
    var all: [Date: CohortSubjects] = [:]
    for part in parts { all.merge(part) { $0.adding($1) } }
    return all.sorted { $0.key < $1.key }.map { start, values in values.statistics(start, unit) }
  }
}

/// The values of the subjects in one interval.
private struct CohortSubjects: Sendable {
  let end: Date
  private var count = 0
  private var sum = 0.0
  private var least = Double.infinity
  private var greatest = -Double.infinity

  init(end: Date) { self.end = end }

  mutating func add(_ value: Double) {
    count += 1
    sum += value
    least = min(least, value)
    greatest = max(greatest, value)
  }

  func adding(_ other: CohortSubjects) -> CohortSubjects {
    var both = self
    both.count += other.count
    both.sum += other.sum
    both.least = min(least, other.least)
    both.greatest = max(greatest, other.greatest)
    return both
  }

  func statistics(_ start: Date, _ unit: HKUnit) -> CohortStatistics {
    func quantity(_ value: Double) -> HKQuantity { HKQuantity(unit: unit, doubleValue: value) }
    return CohortStatistics(
      startDate: start, endDate: end, subjectCount: count, sum: quantity(sum),
      average: quantity(sum / Double(count)), minimum: quantity(least),
      maximum: quantity(greatest))
  }
}
