public import Foundation

// Predicates on medication list entries and verifiable clinical records.
extension HKQuery {
  /// Returns a predicate that matches medications with or without a schedule.
  public class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
    comparing(.hasSchedule, .equalTo, hasSchedule)
  }

  /// Returns a predicate that matches medications that are archived or not.
  public class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
    comparing(.isArchived, .equalTo, isArchived)
  }

  /// Returns a predicate that matches verifiable clinical records whose relevant date is in a
  /// closed interval.
  public class func predicateForVerifiableClinicalRecords(
    withRelevantDateWithin dateInterval: DateInterval
  ) -> NSPredicate {
    comparing(.relevantDate, .between, [dateInterval.start, dateInterval.end])
  }
}
