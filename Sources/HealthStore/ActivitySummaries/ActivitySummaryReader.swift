import Foundation
import SampleLog

/// Computes what somebody did in days from the samples in a store.
struct ActivitySummaryReader: Sendable {
  let store: StoreReader

  /// The days, from midnight to midnight.
  let grid: StatisticsGrid

  private let sums: [(field: ActivitySummaryValues.Field, reader: StatisticsReader)]
  private let stood: RowFilter?
  private let standHours: SeriesKey

  /// Which source counts for each of the sums.
  typealias Priorities = [ActivitySummaryValues.Field: SourcePriority]

  /// A summary has a permission of its own, so those of the types that it sums do not matter.
  init(_ store: StoreReader, calendar: Calendar) throws {
    let store = store.unrestricted
    self.store = store
    grid = StatisticsGrid(
      anchor: calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: 0)),
      components: DateComponents(day: 1), calendar: calendar)
    let types: [(ActivitySummaryValues.Field, HKQuantityTypeIdentifier)] = [
      (.activeEnergyBurned, .activeEnergyBurned), (.appleMoveTime, .appleMoveTime),
      (.appleExerciseTime, .appleExerciseTime),
    ]
    sums = try types.map { field, type in
      let request = StatisticsRequest(
        quantityType: HKQuantityType(type), condition: .always, options: .cumulativeSum)
      return (field, try StatisticsReader(request, store))
    }
    let type = HKCategoryType(.appleStandHour)
    let value = HKCategoryValueAppleStandHour.stood.rawValue
    let selection = try store.plan([(type, .categoryValue(.equal, value))]).selection
    standHours = store.key(type.identifier)
    stood = selection.series?.isEmpty == false ? selection.filter(for: standHours) : nil
  }

  /// The series to follow: those of the samples, and the one whose settings are goals and days.
  var selection: SeriesSelection {
    var filters = [store.activitySeries: RowFilter()]
    for (_, reader) in sums { filters[reader.key] = RowFilter() }
    if let stood { filters[standHours] = stood }
    return SeriesSelection(filters)
  }

  /// Whether samples may stand for several values.
  func mayHaveSeries(in snapshot: Snapshot) -> Bool {
    sums.contains { $0.reader.mayHaveSeries(in: snapshot) }
  }

  /// Which source counts.
  func priorities() throws -> Priorities {
    var found: Priorities = [:]
    for (field, reader) in sums {
      found[field] = try store.sourcePriority(of: reader.request.quantityType)
    }
    return found
  }

  /// What was done, for the days that have a sample of any of the types.
  ///
  /// - Parameters:
  ///   - range: The numbers of days to compute; nil for all.
  ///   - snapshot: What to read.
  ///   - priorities: Which source counts.
  /// - Returns: Amounts without goals.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when rows cannot be read.
  func amounts(
    _ range: ClosedRange<Int>?, of snapshot: Snapshot, _ priorities: Priorities
  ) throws -> [CalendarDay: ActivitySummaryValues] {
    var found: [Int: ActivitySummaryValues] = [:]
    for (field, reader) in sums {
      let unit = try reader.unit(in: snapshot)
      let pieces = try reader.pieces(
        in: grid, range, of: snapshot, unit: unit, priority: priorities[field] ?? SourcePriority())
      for interval in pieces.lazy.flatMap(\.intervals) {
        found[interval.index, default: ActivitySummaryValues()][field] = HKQuantity(
          unit: unit, doubleValue: interval.merged.sum ?? 0)
      }
    }
    for (index, count) in try standHourCounts(range, of: snapshot) {
      found[index, default: ActivitySummaryValues()][.appleStandHours] = HKQuantity(
        unit: .count(), doubleValue: Double(count))
    }
    var days: [CalendarDay: ActivitySummaryValues] = [:]
    for (index, values) in found {
      var values = values
      let day = day(index)
      values.day = day
      days[day] = values
    }
    return days
  }

  private func standHourCounts(
    _ range: ClosedRange<Int>?, of snapshot: Snapshot
  ) throws -> [Int: Int] {
    guard var filter = stood else { return [:] }
    if let range {
      let days = BoundedIntervals(grid, range)
      filter.start = filter.start.intersection(.from(days.start))
        .intersection(.below(days.end))
    }
    var hours = StandHours(grid)
    let blocks = try snapshot.blocks(standHours, where: filter, columns: [])
    try snapshot.stream(blocks, where: filter, columns: []) { rows in
      rows.forEachRow { block, row in hours.add(block.start[row]) }
      return true
    }
    return hours.counts
  }

  /// The day of a number in the grid.
  func day(_ index: Int) -> CalendarDay {
    let (start, end) = (grid.start(of: index), grid.start(of: index + 1))
    // The first day has no midnight, and the second before its end is on it.
    return CalendarDay(
      of: Date(timeIntervalSinceReferenceDate: start.isFinite ? start : end - 1),
      in: grid.calendar)
  }

  /// The numbers of the days that a condition may admit; nil for all days.
  ///
  /// Only days that it names bound it: what it says of anything else admits no summary.
  func range(_ condition: SampleCondition) -> ClosedRange<Int>? {
    let days = DateHull(condition).day
    if days.isAll { return nil }
    // Before and after all days that there are.
    let reach = 1 << 60
    let first = index(ofDay: days.lower.rounded(.up)) ?? -reach
    let last = index(ofDay: days.upper.rounded(.down)) ?? reach
    return first...max(first, last)
  }

  private func index(ofDay number: Double) -> Int? {
    Int(exactly: number).flatMap { CalendarDay(number: $0).noon(in: grid.calendar) }
      .map { grid.index(at: $0.timeIntervalSinceReferenceDate) }
  }
}
