import Foundation
import HealthStore
import SampleLog

/// What a report shows: figures of one subject by day and by week.
struct ReportData {
  /// A day's or a week's figure; of sums the average is the sum.
  struct Figure {
    var middle: Double
    var low: Double
    var high: Double
  }

  struct Quantity {
    let kind: ReportQuantity
    /// By day; nil where there is no sample.
    var days: [Figure?]
    /// By week.
    var weeks: [Figure?]
  }

  /// How long a night had each value of sleep analysis, in seconds.
  typealias Night = [Int: Double]

  struct Workout {
    let start: Date
    let name: String
    let seconds: Double
    let energy: String
    let distance: String
    let source: String
  }

  /// Which days have samples of a type.
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
  /// By day on which they end.
  var nights: [Night] = []
  var workouts: [Workout] = []
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
    nights = try await reader.nights()
    workouts = try await reader.workouts()
    let snapshot = database.snapshot()
    let symbols = database.symbols
    let wanted = symbols.intern(subject)
    let series = snapshot.series(of: wanted).filter { !symbols.isOwnedType($0.type) }
    var filter = RowFilter()
    filter.start = Bounds.from(days.start.timeIntervalSinceReferenceDate)
      .intersection(.below(days.end.timeIntervalSinceReferenceDate))
    let found = try SourceFigures(of: series, where: filter, in: database)
    sources = found.figures.map { ($0.key.source, $0.value) }.sorted {
      ($1.1.count, $0.0.name, $0.0.bundleIdentifier) < (
        $0.1.count, $1.0.name, $1.0.bundleIdentifier
      )
    }
    coverage = try reader.coverage(series, filter, snapshot)
  }
}

/// Reads the figures of one subject.
private struct Reader {
  let health: HKHealthStore
  let days: ReportDays

  private var predicate: NSPredicate {
    HKQuery.predicateForSamples(withStart: days.start, end: days.end)
  }

  /// The figures of a type; nil when it has no sample in the time.
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
      // So that weeks are what their days are.
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
      options: kind.isSum ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax],
      anchorDate: days.zone.monday, intervalComponents: DateComponents(day: count)
    ).result(for: health).statistics()
  }

  private func figure(_ statistics: HKStatistics, _ kind: ReportQuantity) -> ReportData.Figure? {
    if kind.isSum {
      return kind.value(statistics.sumQuantity()).map { .init(middle: $0, low: $0, high: $0) }
    }
    guard let middle = kind.value(statistics.averageQuantity()) else { return nil }
    return .init(
      middle: middle, low: kind.value(statistics.minimumQuantity()) ?? middle,
      high: kind.value(statistics.maximumQuantity()) ?? middle)
  }

  /// The nights by the day on which they end; empty when there is none.
  func nights() async throws -> [ReportData.Night] {
    // From noon to noon.
    let calendar = days.zone.calendar
    func noon(before day: Date) -> Date {
      calendar.date(bySettingHour: 12, minute: 0, second: 0, of: day - 43_200) ?? day - 43_200
    }
    let durations = try await HKCategoryDurationCollectionQueryDescriptor(
      predicate: .categorySample(
        type: HKCategoryType(.sleepAnalysis),
        predicate: HKQuery.predicateForSamples(
          withStart: noon(before: days.start), end: noon(before: days.end))),
      anchorDate: noon(before: days.zone.monday), intervalComponents: DateComponents(day: 1)
    ).result(for: health)
    var nights = [ReportData.Night](repeating: [:], count: days.count)
    var isEmpty = true
    for night in durations {
      guard let day = days.index(of: night.startDate + 86_400) else { continue }
      isEmpty = false
      nights[day] = night.durations
    }
    return isEmpty ? [] : nights
  }

  func workouts() async throws -> [ReportData.Workout] {
    let found = try await HKSampleQueryDescriptor(
      predicates: [.workout(predicate)], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: health)
    return found.compactMap { workout in
      guard days.index(of: workout.startDate) != nil else { return nil }
      func text(_ quantity: HKQuantity?, _ unit: String, _ digits: Int) -> String {
        let unit = HKUnit(from: unit)
        guard let quantity, quantity.is(compatibleWith: unit) else { return "–" }
        return ReportText.number(quantity.doubleValue(for: unit), digits)
      }
      return ReportData.Workout(
        start: workout.startDate,
        name: Self.words(
          workout.workoutActivityType.exportName.dropFirst("HKWorkoutActivityType".count)),
        seconds: workout.duration, energy: text(workout.totalEnergyBurned, "kcal", 0),
        distance: text(workout.totalDistance, "km", 1), source: workout.sourceRevision.source.name)
    }
  }

  /// `TraditionalStrengthTraining` as `Traditional strength training`.
  private static func words(_ name: Substring) -> String {
    name.enumerated().reduce(into: "") { text, part in
      let isStart = part.element.isUppercase && part.offset > 0
      text += isStart ? " " + part.element.lowercased() : String(part.element)
    }
  }

  /// Which days have samples, by the name of the type.
  func coverage(
    _ series: [SeriesKey], _ filter: RowFilter, _ snapshot: Snapshot
  ) throws -> [ReportData.Coverage] {
    let result = try series.compactMap { key -> ReportData.Coverage? in
      let name = HKSampleType.shortName(ofIdentifier: snapshot.symbols.text(key.type))
      var coverage = ReportData.Coverage(
        type: name, days: .init(repeating: false, count: days.count))
      try snapshot.scan([key], where: filter, columns: [.start]) { block, rows in
        // Rows next to each other are mostly of one day.
        var day = 0..<0
        var dayStart = 0.0
        var dayEnd = 0.0
        coverage.count += rows.count
        for row in rows.lazy.map(Int.init) {
          let start = block.start[row]
          if !day.isEmpty, start >= dayStart, start < dayEnd { continue }
          guard let index = days.index(of: Date(timeIntervalSinceReferenceDate: start)) else {
            continue
          }
          day = index..<index + 1
          dayStart = days.starts[index].timeIntervalSinceReferenceDate
          dayEnd =
            (index + 1 < days.count ? days.starts[index + 1] : days.end)
            .timeIntervalSinceReferenceDate
          coverage.days[index] = true
        }
        return true
      }
      return coverage.count == 0 ? nil : coverage
    }
    return result.sorted { $0.type < $1.type }
  }
}
