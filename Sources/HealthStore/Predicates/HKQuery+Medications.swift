public import Foundation

extension HKQuery {
  /// Admits doses of a medication.
  public class func predicateForMedicationDoseEvent(
    medicationConceptIdentifier: HKHealthConceptIdentifier
  ) -> NSPredicate {
    comparing(.medicationConcept, .equalTo, medicationConceptIdentifier)
  }

  /// Admits doses of one of some medications.
  public class func predicateForMedicationDoseEvent(
    medicationConceptIdentifiers: Set<HKHealthConceptIdentifier>
  ) -> NSPredicate {
    comparing(
      .medicationConcept, .in,
      medicationConceptIdentifiers.sorted { $0.description < $1.description })
  }

  /// Admits doses of a status.
  public class func predicateForMedicationDoseEvent(
    status: HKMedicationDoseEvent.LogStatus
  ) -> NSPredicate {
    comparing(.doseStatus, .equalTo, status.rawValue)
  }

  /// Admits doses of one of some statuses, by their raw values.
  public class func predicateForMedicationDoseEvent(statuses: Set<NSNumber>) -> NSPredicate {
    comparing(.doseStatus, .in, statuses.sorted { $0.int64Value < $1.int64Value })
  }

  /// Admits doses that were to be taken at a time.
  public class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
    comparing(.scheduledDate, .equalTo, scheduledDate)
  }

  /// Admits doses that were to be taken at one of some times.
  public class func predicateForMedicationDoseEvent(scheduledDates: Set<Date>) -> NSPredicate {
    comparing(.scheduledDate, .in, scheduledDates.sorted())
  }

  /// Admits doses that were to be taken from a time on and before another; `nil` leaves that side
  /// open.
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
