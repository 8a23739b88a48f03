public import Foundation
import SampleLog

/// Everybody in a store, or some of the people, of whom questions are answered together.
///
/// Our addition. There is no authorisation between a cohort and its answers: whoever has the
/// ``HealthDatabase`` has everybody's data.
///
/// ```swift
/// let rates = try await database.cohort().totals(
///   of: .quantitySample(type: HKQuantityType(.heartRate)),
///   every: DateComponents(day: 1), from: midnight, groupedBy: .person)
/// ```
public struct HealthCohort: Sendable {
  /// What totals are told apart by, besides dates.
  public struct Grouping: OptionSet, Hashable, Sendable {
    /// One bit for each of the groupings.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Whose the samples are.
    public static let person = Grouping(rawValue: 1 << 0)
    /// Which source saved the samples.
    public static let source = Grouping(rawValue: 1 << 1)
  }

  /// The people, compared byte by byte; nil for everybody.
  public let subjects: [String]?

  private let store: HKHealthStore

  init(_ store: HKHealthStore, subjects: [String]?) {
    self.store = store
    self.subjects = subjects
  }

  /// Counts and adds up samples as they are stored.
  ///
  /// Each sample counts, once and whole, in the interval that it starts in: sources are not merged,
  /// and what several of them have measured at one time counts several times.
  /// ``statistics(of:_:every:from:)`` merges them. A sample that stands for several values counts
  /// as one.
  ///
  /// - Parameters:
  ///   - predicate: The type and what samples must satisfy; anything but workouts, which are of one
  ///     person.
  ///   - intervalComponents: How long the intervals are; nil for one of all time.
  ///   - anchorDate: Where one of them begins.
  ///   - grouping: By what samples are grouped, besides the interval.
  /// - Returns: The groups and intervals that have samples, by person in no particular order, then
  ///   by source, then by date.
  /// - Throws: ``HKStatisticsError`` for an interval that is none, `errorInvalidArgument` for more
  ///   than four million intervals and for sound levels in different units, and
  ///   `errorDatabaseInaccessible` when the store is closed or cannot be read.
  /// - Complexity: Linear in the stored blocks of the type, on all processors; blocks that are in
  ///   one group and interval are not read. Memory is that of the result.
  public func totals(
    of predicate: HKSamplePredicate<HKQuantitySample>,
    every intervalComponents: DateComponents? = nil,
    from anchorDate: Date = Date(timeIntervalSinceReferenceDate: 0),
    groupedBy grouping: Grouping = []
  ) async throws -> [CohortTotal] {
    let condition = try SampleCondition(predicate.nsPredicate)
    let grid = try intervalComponents.map {
      try StatisticsGrid.validated(
        anchor: anchorDate, components: $0, calendar: store.calendar)
    }
    let subjects = subjects
    return try await store.reading { reader in
      try CohortReader(reader, subjects).totals(predicate.quantityType, condition, grid, grouping)
    }
  }

  /// Computes a statistic of each person as HealthKit does, and combines those of all.
  ///
  /// Of each person sources are merged, so that a day's steps of somebody with a phone and a watch
  /// count once; the person's source order counts.
  ///
  /// - Parameters:
  ///   - predicate: The type and what samples must satisfy.
  ///   - option: Which statistic of a person is taken: one of those that the type allows.
  ///   - intervalComponents: How long the intervals are.
  ///   - anchorDate: Where one of them begins.
  /// - Returns: The intervals in which somebody has a value, in the order of time.
  /// - Throws: ``HKStatisticsError`` for an interval that is none and for an option that the type
  ///   does not allow, `errorInvalidArgument` for several options or one that is no number, and
  ///   `errorDatabaseInaccessible` when the store is closed or cannot be read.
  /// - Complexity: That of a statistics collection for each person, on all processors. Each person
  ///   is read as of a moment during the call. Memory is that of the result and of one person's
  ///   statistics on each processor.
  public func statistics(
    of predicate: HKSamplePredicate<HKQuantitySample>, _ option: HKStatisticsOptions,
    every intervalComponents: DateComponents,
    from anchorDate: Date = Date(timeIntervalSinceReferenceDate: 0)
  ) async throws -> [CohortStatistics] {
    let (type, condition) = (predicate.quantityType, try SampleCondition(predicate.nsPredicate))
    let grid = try StatisticsGrid.validated(
      anchor: anchorDate, components: intervalComponents, calendar: store.calendar)
    let options = try option.validated(for: type)
    guard let value = CohortReader.value(of: options) else {
      throw HKError.make(
        .errorInvalidArgument, "Statistics of a cohort take one option, such as cumulativeSum.")
    }
    let request = StatisticsRequest(quantityType: type, condition: condition, options: options)
    let subjects = subjects
    return try await store.reading { reader in
      try CohortReader(reader, subjects).statistics(request, grid, value)
    }
  }
}

extension HealthDatabase {
  /// Returns everybody in the store, or some of the people, as one.
  ///
  /// - Parameter subjects: The people, compared byte by byte; nil for everybody there is whenever
  ///   the cohort is asked.
  /// - Returns: The cohort.
  /// - Complexity: O(1), without a system call.
  public func cohort(_ subjects: [String]? = nil) -> HealthCohort {
    HealthCohort(store(), subjects: subjects)
  }
}
