public import Foundation

extension HKQuery {
  /// Admits medications that are taken by a schedule, or those that are not.
  public class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
    comparing(.hasSchedule, .equalTo, hasSchedule)
  }

  /// Admits medications that were archived, or those that were not.
  public class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
    comparing(.isArchived, .equalTo, isArchived)
  }

  /// Admits verifiable clinical records whose relevant date is within an interval, both ends
  /// included.
  public class func predicateForVerifiableClinicalRecords(
    withRelevantDateWithin dateInterval: DateInterval
  ) -> NSPredicate {
    comparing(.relevantDate, .between, [dateInterval.start, dateInterval.end])
  }
}
