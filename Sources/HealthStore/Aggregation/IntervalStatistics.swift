import Foundation
package import SampleLog

/// The statistics of one subject's samples by interval, as plain numbers.
///
/// Computed by the same code as ``HKStatisticsCollectionQuery``, from a snapshot that the caller
/// passes.
package struct IntervalStatistics: Sendable {
  /// A division of time into calendar intervals aligned to an anchor, or a single interval for all
  /// of time.
  package struct Intervals: Sendable {
    fileprivate let grid: StatisticsGrid?

    /// A single interval that covers all of time, as in ``HKStatisticsQuery``.
    package static let whole = Intervals(grid: nil)

    private init(grid: StatisticsGrid?) { self.grid = grid }

    /// Creates intervals of a number of calendar units, such as days.
    ///
    /// - Throws: ``HKStatisticsError`` if the components are not a valid interval.
    package init(
      anchor: Date, every components: DateComponents, calendar: Calendar
    ) throws(HKStatisticsError) {
      grid = try .validated(anchor: anchor, components: components, calendar: calendar)
    }

    /// Returns the indices of the intervals whose start lies within `bounds`, or nil if no interval
    /// starts there.
    fileprivate func numbers(startingIn bounds: Bounds) -> ClosedRange<Int>? {
      guard let grid else { return 0...0 }
      guard bounds.lower <= bounds.upper else { return nil }
      let first = grid.index(at: bounds.lower)
      let last = grid.index(at: bounds.upper)
      let isInside = StatisticsGrid.seconds(grid.start(of: first)) >= bounds.lower
      let lower = isInside ? first : first + 1
      return lower <= last ? lower...last : nil
    }
  }

  /// The statistics of an interval, with sources merged or for one source.
  package struct Row: Sendable {
    /// The start of the interval, in seconds since 2001-01-01 00:00 UTC.
    package var start: Double
    /// The end of the interval, in seconds since 2001-01-01 00:00 UTC.
    package var end: Double
    /// The number of samples that overlap the interval, from all sources.
    package var count: Int
    /// The source, or nil if the row merges all sources.
    package var source: HKSource?
    fileprivate var values: StatisticsValues

    package var sum: Double? { values.sum }
    package var average: Double? { values.average }
    package var minimum: Double? { values.minimum }
    package var maximum: Double? { values.maximum }
    /// The time that the samples cover, in seconds.
    package var duration: Double? { values.duration }
  }

  /// The unit of all values except durations.
  package let unit: HKUnit
  /// The intervals that have samples, in chronological order.
  ///
  /// With `separateBySource`, the merged row of an interval is followed by a row for each source.
  package let rows: [Row]

  /// Computes statistics.
  ///
  /// - Parameters:
  ///   - type: The type of samples.
  ///   - options: The statistics to compute; `type` must support them.
  ///   - intervals: The intervals to aggregate by.
  ///   - bounds: The range of interval starts, in seconds since 2001-01-01 00:00 UTC.
  ///   - subject: The subject that the samples belong to.
  ///   - database: The store to read.
  ///   - snapshot: The snapshot of `database` to read.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if samples cannot be read.
  package init(
    of type: HKQuantityType, _ options: HKStatisticsOptions, in intervals: Intervals,
    startingIn bounds: Bounds = .all, subject: String, database: Database, snapshot: Snapshot
  ) throws {
    let store = StoreReader(OpenStore(database), subject: subject, policy: nil)
    let request = StatisticsRequest(quantityType: type, condition: .always, options: options)
    let reader = try StatisticsReader(request, store)
    unit = try reader.unit(in: snapshot)
    guard let numbers = intervals.numbers(startingIn: bounds) else {
      rows = []
      return
    }
    let priority = try store.sourcePriority(of: type)
    guard let grid = intervals.grid else {
      let pieces = try reader.pieces(
        in: WholeTime(), of: snapshot, unit: unit, priority: priority)
      rows = pieces.flatMap { piece in
        piece.intervals.flatMap { Self.rows($0, piece, piece.firstStart, piece.lastEnd, options) }
      }
      return
    }
    let pieces = try reader.pieces(
      in: grid, bounds.isAll ? nil : numbers, of: snapshot, unit: unit, priority: priority)
    var cursor = IntervalCursor(grid)
    var rows: [Row] = []
    for piece in pieces {
      for interval in piece.intervals {
        cursor.move(toInterval: interval.index)
        rows += Self.rows(
          interval, piece, StatisticsGrid.seconds(cursor.start),
          StatisticsGrid.seconds(cursor.end), options)
      }
    }
    self.rows = rows
  }

  private static func rows(
    _ interval: StatisticsInterval, _ piece: StatisticsReader.Piece, _ start: Double,
    _ end: Double, _ options: HKStatisticsOptions
  ) -> [Row] {
    let merged = Row(
      start: start, end: end, count: interval.count, source: nil, values: interval.merged)
    guard options.contains(.separateBySource) else { return [merged] }
    let separate = interval.bySource.map { number, values in
      Row(
        start: start, end: end, count: interval.count, source: piece.sources[number],
        values: values)
    }
    return [merged]
      + separate.sorted {
        ($0.source?.bundleIdentifier ?? "", $0.source?.name ?? "")
          < ($1.source?.bundleIdentifier ?? "", $1.source?.name ?? "")
      }
  }
}

extension StatisticsGrid {
  /// Returns a boundary in seconds since 2001-01-01 00:00 UTC, rounded as ``date(_:)`` does.
  fileprivate static func seconds(_ start: Double) -> Double {
    date(start).timeIntervalSinceReferenceDate
  }
}
