public import Foundation

/// What the samples of one group that start in one interval come to.
///
/// Our addition.
public struct CohortTotal: Hashable, @unchecked Sendable {
  /// When the interval begins; `Date.distantPast` where all of time is one.
  public let startDate: Date
  /// When the interval ends; `Date.distantFuture` where all of time is one.
  public let endDate: Date
  /// Whose the samples are; nil unless people are told apart.
  public let subject: String?
  /// Which source saved them; nil unless sources are told apart.
  public let source: HKSource?
  /// How many samples there are, one at least.
  public let sampleCount: Int
  /// Their sum; nil where values of the type do not add up, such as heart rates.
  public let sum: HKQuantity?
  /// Their arithmetic mean.
  public let average: HKQuantity
  /// The least of their values.
  public let minimum: HKQuantity
  /// The greatest of their values.
  public let maximum: HKQuantity
}

/// A statistic of everybody in a cohort who has it in one interval.
///
/// Our addition.
public struct CohortStatistics: Hashable, @unchecked Sendable {
  /// When the interval begins.
  public let startDate: Date
  /// When the interval ends.
  public let endDate: Date
  /// How many people have a value, one at least.
  public let personCount: Int
  /// The values of all people added up.
  public let sum: HKQuantity
  /// The mean over the people who have a value.
  public let average: HKQuantity
  /// The least value of a person.
  public let minimum: HKQuantity
  /// The greatest value of a person.
  public let maximum: HKQuantity
}
