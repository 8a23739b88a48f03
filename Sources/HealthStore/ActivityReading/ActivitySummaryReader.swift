import Foundation
import SampleLog

/// Computes a subject's daily activity from the samples in a store.
struct ActivitySummaryReader: Sendable {
  let store: StoreReader

  /// The grid of days, from midnight to midnight.
  let grid: StatisticsGrid

  private let sums: [(field: ActivitySummaryValues.Field, reader: StatisticsReader)]
  private let stood: RowFilter?
  private let standHours: SeriesKey

  /// The source priority of each summed type.
  typealias Priorities = [ActivitySummaryValues.Field: SourcePriority]

  /// Creates a reader.
  ///
  /// It ignores the read permissions of the summed types, because summaries have a separate
  /// permission.
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
        quantityType: HKQuantityType(type), condition: .always,
        options: .sum(of: HKQuantityType(type)))
      return (field, try StatisticsReader(request, store))
    }
    let type = HKCategoryType(.appleStandHour)
    let value = HKCategoryValueAppleStandHour.stood.rawValue
    let selection = try store.plan([(type, .categoryValue(.equal, value))]).selection
    standHours = store.key(type.identifier)
    stood = selection.series?.isEmpty == false ? selection.filter(for: standHours) : nil
  }

  /// The series to observe: those of the samples, and the one that holds goals and days as
  /// settings.
  var selection: SeriesSelection {
    var filters = [store.activitySeries: RowFilter()]
    for (_, reader) in sums { filters[reader.key] = RowFilter() }
    if let stood { filters[standHours] = stood }
    return SeriesSelection(filters)
  }

  /// Returns whether samples may represent several values.
  func mayHaveSeries(in snapshot: Snapshot) -> Bool {
    sums.contains { $0.reader.mayHaveSeries(in: snapshot) }
  }

  /// Returns the current source priorities.
  func priorities() throws -> Priorities {
    var found: Priorities = [:]
    for (field, reader) in sums {
      found[field] = try store.sourcePriority(of: reader.request.quantityType)
    }
    return found
  }

  /// Computes the activity of all days that have a sample of one of the types.
  ///
  /// - Parameters:
  ///   - range: The numbers of the days to compute, or nil for all.
  ///   - snapshot: The snapshot to read.
  ///   - priorities: The source priorities.
  /// - Returns: The amounts by day, without goals.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if rows cannot be read.
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

  /// Returns the day with a number in the grid.
  func day(_ index: Int) -> CalendarDay {
    let (start, end) = (grid.start(of: index), grid.start(of: index + 1))
    // The first interval of the grid has no finite start, so use the second before its end.
    return CalendarDay(
      of: Date(timeIntervalSinceReferenceDate: start.isFinite ? start : end - 1),
      in: grid.calendar)
  }

  /// Returns the numbers of the days that a condition may admit, or nil for all days.
  ///
  /// Only conditions on the day bound the range. Conditions on other properties admit no summary.
  func range(_ condition: SampleCondition) -> ClosedRange<Int>? {
    let days = DateBounds(condition).day
    if days.isAll { return nil }
    // Beyond all representable days in both directions.
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
