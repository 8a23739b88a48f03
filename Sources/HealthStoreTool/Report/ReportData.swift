import Foundation
import HealthStore
import SampleLog

/// The data of a report: statistics of one subject by day and by week.
struct ReportData {
  /// The average, minimum and maximum of a day or week, or three times the sum.
  struct Figure {
    var middle: Double
    var low: Double
    var high: Double
  }

  struct Quantity {
    let kind: ReportQuantity
    /// The values by day; nil for a day without samples.
    var days: [Figure?]
    /// The values by week; nil for a week without samples.
    var weeks: [Figure?]
  }

  /// The time in a category by day, in seconds.
  struct Duration {
    let title: String
    let days: [Double]
  }

  struct Workout {
    let start: Date
    let name: String
    /// The time of the workout without pauses.
    let active: TimeSet
    let energy: String
    let distance: String
    let source: String
  }

  /// The days that have samples of a type.
  struct Coverage {
    let type: String
    var count = 0
    var days: [Bool]

    /// The runs of days without samples.
    var gaps: [ClosedRange<Int>] {
      var gaps: [ClosedRange<Int>] = []
      var index = 0
      while index < days.count {
        let end = days[index...].firstIndex(of: true) ?? days.count
        if end > index { gaps.append(index...end - 1) }
        index = end + 1
      }
      return gaps
    }
  }

  let days: ReportDays
  var quantities: [Quantity] = []
  /// The sleep by day; empty if there is none.
  var sleep: [ReportSleep.Day] = []
  var durations: [Duration] = []
  var workouts: [Workout] = []
  /// The time of all workouts by day, in seconds.
  var workoutSeconds: [Double] = []
  var sources: [(source: HKSource, figure: SourceFigures.Figure)] = []
  var coverage: [Coverage] = []

  init(_ database: Database, subject: String, _ days: ReportDays) async throws {
    self.days = days
    let health = HKHealthStore(database: database, subject: subject)
    health.calendar = days.zone.calendar
    let reader = Reader(health: health, days: days)
    for kind in ReportQuantity.all {
      if let quantity = try await reader.quantity(kind) { quantities.append(quantity) }
    }
    sleep = try await reader.sleep()
    if let mindful = try await reader.duration(.mindfulSession, "Mindfulness") {
      durations.append(mindful)
    }
    workouts = try await reader.workouts()
    workoutSeconds = reader.seconds(TimeSet(workouts.flatMap(\.active.intervals)))
    let snapshot = database.snapshot()
    let symbols = database.symbols
    let wanted = symbols.intern(subject)
    let series = snapshot.series(of: wanted).filter { !symbols.isChildType($0.type) }
    var filter = RowFilter()
    filter.start = .below(days.end.timeIntervalSinceReferenceDate)
    filter.end = .from(days.start.timeIntervalSinceReferenceDate)
    let found = try SourceFigures(of: series, where: filter, in: database)
    sources = found.figures.map { ($0.key.source, $0.value) }.sorted {
      ($1.1.count, $0.0.name, $0.0.bundleIdentifier) < (
        $0.1.count, $1.0.name, $1.0.bundleIdentifier
      )
    }
    coverage = try reader.coverage(series, filter, snapshot)
  }
}

/// Reads the data of one subject.
private struct Reader {
  let health: HKHealthStore
  let days: ReportDays

  private var predicate: NSPredicate {
    HKQuery.predicateForSamples(withStart: days.start, end: days.end)
  }

  /// Returns the statistics of a type, or nil if it has no samples in the period.
  func quantity(_ kind: ReportQuantity) async throws -> ReportData.Quantity? {
    var result = ReportData.Quantity(
      kind: kind, days: .init(repeating: nil, count: days.count),
      weeks: .init(repeating: nil, count: days.weekNames.count))
    var isEmpty = true
    for statistics in try await statistics(kind, everyDays: 1) {
      guard let day = days.index(of: statistics.startDate), let figure = figure(statistics, kind)
      else { continue }
      isEmpty = false
      result.days[day] = figure
    }
    if isEmpty { return nil }
    if kind.isSum {
      // Weeks are added up from their days, so that both agree.
      for (day, figure) in result.days.enumerated() {
        guard let sum = figure?.middle else { continue }
        let total = (result.weeks[days.week(ofDay: day)]?.middle ?? 0) + sum
        result.weeks[days.week(ofDay: day)] = .init(middle: total, low: total, high: total)
      }
    } else {
      for statistics in try await statistics(kind, everyDays: 7) {
        let inside = max(statistics.startDate, days.start)
        guard let day = days.index(of: inside), let figure = figure(statistics, kind) else {
          continue
        }
        result.weeks[days.week(ofDay: day)] = figure
      }
    }
    return result
  }

  private func statistics(
    _ kind: ReportQuantity, everyDays count: Int
  ) async throws -> [HKStatistics] {
    try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: kind.type, predicate: predicate),
      options: kind.type.figures,
      anchorDate: days.zone.monday, intervalComponents: DateComponents(day: count)
    ).result(for: health).statistics()
  }

  private func figure(_ statistics: HKStatistics, _ kind: ReportQuantity) -> ReportData.Figure? {
    if kind.isSum {
      let sum = statistics.sumQuantity()
      return kind.value(sum).map { .init(middle: $0, low: $0, high: $0) }
    }
    guard let middle = kind.value(statistics.averageQuantity()) else { return nil }
    return .init(
      middle: middle, low: kind.value(statistics.minimumQuantity()) ?? middle,
      high: kind.value(statistics.maximumQuantity()) ?? middle)
  }

  /// Returns the sleep by day, or an empty array if there is none.
  func sleep() async throws -> [ReportSleep.Day] {
    // Sleep that extends beyond the period determines the day to which it belongs.
    let samples = try await samples(
      .sleepAnalysis, from: days.start - ReportSleep.reach, to: days.end + ReportSleep.reach)
    let found = ReportSleep(samples).days(days)
    return found.allSatisfy(\.isEmpty) ? [] : found
  }

  /// Returns the time in a category by day, for all sources and values, or nil if there is none.
  func duration(
    _ identifier: HKCategoryTypeIdentifier, _ title: String
  ) async throws -> ReportData.Duration? {
    let samples = try await samples(identifier, from: days.start, to: days.end)
    let seconds = seconds(
      TimeSet(samples.lazy.map { DateInterval(start: $0.startDate, end: $0.endDate).seconds }))
    return seconds.allSatisfy { $0 == 0 } ? nil : .init(title: title, days: seconds)
  }

  private func samples(
    _ identifier: HKCategoryTypeIdentifier, from start: Date, to end: Date
  ) async throws -> [HKCategorySample] {
    try await HKSampleQueryDescriptor(
      predicates: [
        .categorySample(
          type: HKCategoryType(identifier),
          predicate: HKQuery.predicateForSamples(withStart: start, end: end))
      ], sortDescriptors: []
    ).result(for: health)
  }

  /// Returns the length of the part in each day, in seconds.
  func seconds(_ time: TimeSet) -> [Double] {
    days.limits.map { time.clamped(to: $0).seconds }
  }

  func workouts() async throws -> [ReportData.Workout] {
    let found = try await HKSampleQueryDescriptor(
      predicates: [.workout(predicate)], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: health)
    return found.map { workout in
      func text(_ quantity: HKQuantity?, _ unit: String, _ digits: Int) -> String {
        let unit = HKUnit(from: unit)
        guard let quantity, quantity.is(compatibleWith: unit) else { return "–" }
        return ReportText.number(quantity.doubleValue(for: unit), digits)
      }
      let figures = WorkoutFigures(workout)
      return ReportData.Workout(
        start: workout.startDate,
        name: Self.words(
          workout.workoutActivityType.exportName.dropFirst("HKWorkoutActivityType".count)),
        active: Self.activeTime(of: workout), energy: text(figures.energy, "kcal", 0),
        distance: text(figures.distance, "km", 1), source: workout.sourceRevision.source.name)
    }
  }

  /// Returns the time from start to end without pauses, at most as long as the workout's duration.
  private static func activeTime(of workout: HKWorkout) -> TimeSet {
    let whole = DateInterval(start: workout.startDate, end: workout.endDate).seconds
    return TimeSet([whole]).subtracting(TimeSet(workout.pauses.map(\.seconds)))
      .prefix(seconds: workout.duration)
  }

  /// Converts `TraditionalStrengthTraining` to `Traditional strength training`.
  private static func words(_ name: Substring) -> String {
    name.enumerated().reduce(into: "") { text, part in
      let isStart = part.element.isUppercase && part.offset > 0
      text += isStart ? " " + part.element.lowercased() : String(part.element)
    }
  }

  /// Returns the days that have samples by type, sorted by type name.
  func coverage(
    _ series: [SeriesKey], _ filter: RowFilter, _ snapshot: Snapshot
  ) throws -> [ReportData.Coverage] {
    let result = try series.compactMap { key -> ReportData.Coverage? in
      let name = HKSampleType.shortName(ofIdentifier: snapshot.symbols.text(key.type))
      var coverage = ReportData.Coverage(
        type: name, days: .init(repeating: false, count: days.count))
      try snapshot.scan([key], where: filter, columns: [.start, .end]) { block, rows in
        // Adjacent rows mostly fall on the same day.
        var known = 0.0..<0.0
        for row in rows.lazy.map(Int.init) {
          let (start, end) = (block.start[row], block.end[row])
          if !known.contains(start) || !known.contains(end) {
            guard let covered = days.indices(from: start, to: end) else { continue }
            for day in covered { coverage.days[day] = true }
            known = covered.count == 1 ? days.limits[covered.lowerBound] : 0..<0
          }
          coverage.count += 1
        }
        return true
      }
      return coverage.count == 0 ? nil : coverage
    }
    return result.sorted { $0.type < $1.type }
  }
}
