public import Foundation

// This version stores no doses, medications, states of mind and clinical records, so that all these
// admit nothing.

extension UnsupportedField {
  fileprivate static let valence = UnsupportedField("valence", .number)
  fileprivate static let relevantDate = UnsupportedField("relevantDate", .date)
}

extension HKQuery {
  /// Admits doses that were to be taken at a time.
  public class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
    comparing(HKPredicateKeyPathScheduledDate, .equalTo, scheduledDate)
  }

  /// Admits doses that were to be taken at one of some times.
  public class func predicateForMedicationDoseEvent(scheduledDates: Set<Date>) -> NSPredicate {
    comparing(HKPredicateKeyPathScheduledDate, .in, scheduledDates.sorted())
  }

  /// Admits doses that were to be taken from a time on and before another; `nil` leaves that side
  /// open.
  public class func predicateForMedicationDoseEvent(
    scheduledStart startDate: Date?, end endDate: Date?
  ) -> NSPredicate {
    let keyPath = HKPredicateKeyPathScheduledDate
    var parts = [comparing(keyPath, .greaterThanOrEqualTo, startDate ?? .distantPast)]
    if let endDate { parts.append(comparing(keyPath, .lessThan, endDate)) }
    return SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(NSCompoundPredicate(andPredicateWithSubpredicates: parts))
    }
  }

  /// Admits doses of one of some statuses, by their raw values.
  public class func predicateForMedicationDoseEvent(statuses: Set<NSNumber>) -> NSPredicate {
    comparing(HKPredicateKeyPathStatus, .in, statuses.sorted { $0.int64Value < $1.int64Value })
  }

  /// Admits medications that are taken by a schedule, or those that are not.
  public class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
    comparing(
      HKUserAnnotatedMedicationPredicateKeyPathHasSchedule, .equalTo, hasSchedule)
  }

  /// Admits medications that were archived, or those that were not.
  public class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
    comparing(HKUserAnnotatedMedicationPredicateKeyPathIsArchived, .equalTo, isArchived)
  }

  /// Admits states of mind whose valence, from -1 to 1, stands to `valence` as the operator says.
  ///
  /// Traps when the operator is not one of the six that compare order.
  public class func predicateForStatesOfMind(
    withValence valence: Double, operatorType: HKComparisonOperator
  ) -> NSPredicate {
    comparing(.valence, operatorType, valence)
  }

  /// Admits verifiable clinical records whose relevant date is within an interval.
  public class func predicateForVerifiableClinicalRecords(
    withRelevantDateWithin dateInterval: DateInterval
  ) -> NSPredicate {
    comparing(.relevantDate, .between, [dateInterval.start, dateInterval.end])
  }
}
