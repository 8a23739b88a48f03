public import Foundation

/// The aggregate of the samples of one group that start in one interval.
///
/// This is an addition to HealthKit.
public struct CohortTotal: Hashable, Sendable {
  /// The start of the interval, or `Date.distantPast` if there is a single interval of all time.
  public let startDate: Date
  /// The end of the interval, or `Date.distantFuture` if there is a single interval of all time.
  public let endDate: Date
  /// The subject of the samples, or nil unless grouped by ``HealthCohort/Grouping/subject``.
  public let subject: String?
  /// The source of the samples, or nil unless grouped by ``HealthCohort/Grouping/source``.
  public let source: HKSource?
  /// The number of samples, at least 1.
  public let sampleCount: Int
  /// The sum of the values, or nil for a type that is not cumulative, such as heart rate.
  public let sum: HKQuantity?
  /// The arithmetic mean of the values.
  public let average: HKQuantity
  /// The minimum value.
  public let minimum: HKQuantity
  /// The maximum value.
  public let maximum: HKQuantity
}

/// A statistic over all subjects of a cohort that have a value in one interval.
///
/// This is an addition to HealthKit.
public struct CohortStatistics: Hashable, Sendable {
  /// The start of the interval.
  public let startDate: Date
  /// The end of the interval.
  public let endDate: Date
  /// The number of subjects with a value, at least 1.
  public let subjectCount: Int
  /// The sum of the values of all subjects.
  public let sum: HKQuantity
  /// The mean over the subjects with a value.
  public let average: HKQuantity
  /// The minimum value of a subject.
  public let minimum: HKQuantity
  /// The maximum value of a subject.
  public let maximum: HKQuantity
}
