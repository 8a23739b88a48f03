public import Foundation

// Predicates on medication doses.
extension HKQuery {
  /// Returns a predicate that matches doses of a medication.
  public class func predicateForMedicationDoseEvent(
    medicationConceptIdentifier: HKHealthConceptIdentifier
  ) -> NSPredicate {
    comparing(.medicationConcept, .equalTo, medicationConceptIdentifier)
  }

  /// Returns a predicate that matches doses of any of the medications.
  public class func predicateForMedicationDoseEvent(
    medicationConceptIdentifiers: Set<HKHealthConceptIdentifier>
  ) -> NSPredicate {
    comparing(
      .medicationConcept, .in,
      medicationConceptIdentifiers.sorted { $0.description < $1.description })
  }

  /// Returns a predicate that matches doses with a status.
  public class func predicateForMedicationDoseEvent(
    status: HKMedicationDoseEvent.LogStatus
  ) -> NSPredicate {
    comparing(.doseStatus, .equalTo, status.rawValue)
  }

  /// Returns a predicate that matches doses with any of the statuses, given by raw value.
  public class func predicateForMedicationDoseEvent(statuses: Set<NSNumber>) -> NSPredicate {
    comparing(.doseStatus, .in, statuses.sorted { $0.int64Value < $1.int64Value })
  }

  /// Returns a predicate that matches doses scheduled for a time.
  public class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
    comparing(.scheduledDate, .equalTo, scheduledDate)
  }

  /// Returns a predicate that matches doses scheduled for any of the times.
  public class func predicateForMedicationDoseEvent(scheduledDates: Set<Date>) -> NSPredicate {
    comparing(.scheduledDate, .in, scheduledDates.sorted())
  }

  /// Returns a predicate that matches doses scheduled at or after one time and before another.
  ///
  /// A nil bound leaves the range open.
  public class func predicateForMedicationDoseEvent(
    scheduledStart startDate: Date?, end endDate: Date?
  ) -> NSPredicate {
    var parts = [comparing(.scheduledDate, .greaterThanOrEqualTo, startDate ?? .distantPast)]
    if let endDate { parts.append(comparing(.scheduledDate, .lessThan, endDate)) }
    return SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try SampleCondition(NSCompoundPredicate(andPredicateWithSubpredicates: parts))
    }
  }
}
