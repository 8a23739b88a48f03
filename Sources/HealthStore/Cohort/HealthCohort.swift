public import Foundation
import SampleLog

/// A set of subjects, or all subjects of a store, that are queried together.
///
/// This is an addition to HealthKit. Cohort queries are not subject to authorization: a program
/// that has the ``HealthDatabase`` can read the data of all subjects.
///
/// ```swift
/// let rates = try await database.cohort().totals(
///   of: .quantitySample(type: HKQuantityType(.heartRate)),
///   every: DateComponents(day: 1), from: midnight, groupedBy: .subject)
/// ```
public struct HealthCohort: Sendable {
  /// The properties by which totals are grouped, in addition to the interval.
  public struct Grouping: OptionSet, Hashable, Sendable {
    /// The bits of the option set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Grouping by subject.
    public static let subject = Grouping(rawValue: 1 << 0)
    /// Grouping by source.
    public static let source = Grouping(rawValue: 1 << 1)
  }

  /// The subjects, compared byte by byte, or nil for all subjects.
  public let subjects: [String]?

  private let store: HKHealthStore

  init(_ store: HKHealthStore, subjects: [String]?) {
    self.store = store
    self.subjects = subjects
  }

  /// Counts and sums samples as they are stored.
  ///
  /// Each sample counts in full, once, in the interval in which it starts. Sources are not merged,
  /// so values that several sources measured at the same time count several times;
  /// ``statistics(of:_:every:from:)`` merges them. A sample that represents several values counts
  /// as one.
  ///
  /// - Parameters:
  ///   - predicate: The type and the condition on its samples. Conditions on workouts are not
  ///     supported, because a workout belongs to one subject.
  ///   - intervalComponents: The length of the intervals, or nil for a single interval of all
  ///     time.
  ///   - anchorDate: The start of one of the intervals.
  ///   - grouping: The properties by which samples are grouped, in addition to the interval.
  /// - Returns: The totals of groups and intervals that have samples, ordered by subject (in
  ///   unspecified order), then by source, then by date.
  /// - Throws: ``HKStatisticsError`` if the interval is not valid, `errorInvalidArgument` for more
  ///   than four million intervals and for sound levels in different units, and
  ///   `errorDatabaseInaccessible` if the store is closed or cannot be read.
  /// - Complexity: Linear in the number of stored blocks of the type, in parallel on all
  ///   processors. A block whose rows fall into one group and interval is not read. Memory is
  ///   proportional to the result.
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

  /// Computes a statistic for each subject as HealthKit does, then aggregates over all subjects.
  ///
  /// Each subject's sources are merged by the subject's source order, so the steps of a subject
  /// with a phone and a watch count once.
  ///
  /// - Parameters:
  ///   - predicate: The type and the condition on its samples.
  ///   - option: The statistic to compute for each subject: a single option that the type allows.
  ///   - intervalComponents: The length of the intervals.
  ///   - anchorDate: The start of one of the intervals.
  /// - Returns: The intervals in which a subject has a value, in ascending order.
  /// - Throws: ``HKStatisticsError`` if the interval is not valid or the type does not allow the
  ///   option, `errorInvalidArgument` for several options or one without a numeric value, and
  ///   `errorDatabaseInaccessible` if the store is closed or cannot be read.
  /// - Complexity: That of a statistics collection per subject, in parallel on all processors.
  ///   Each subject is read in a snapshot taken during the call. Memory is that of the result,
  ///   plus one subject's statistics per processor.
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
  /// Returns a cohort of the given subjects, or of all subjects in the store.
  ///
  /// - Parameter subjects: The subjects, compared byte by byte, or nil for all subjects that exist
  ///   when the cohort is queried.
  /// - Returns: The cohort.
  /// - Complexity: O(1), without a system call.
  public func cohort(_ subjects: [String]? = nil) -> HealthCohort {
    HealthCohort(store(), subjects: subjects)
  }
}
