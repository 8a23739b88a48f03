// Property names of doses and medications for predicate formats.

/// The scheduled date of a dose.
public let HKPredicateKeyPathScheduledDate = "scheduledDate"

/// The origin of a dose's log entry.
public let HKPredicateKeyPathLogOrigin = "logOrigin"

/// The medication of a dose.
public let HKPredicateKeyPathMedicationConceptIdentifier = "medicationConceptIdentifier"

/// Whether a medication has a schedule.
public let HKUserAnnotatedMedicationPredicateKeyPathHasSchedule = "hasSchedule"

/// Whether a medication was archived.
public let HKUserAnnotatedMedicationPredicateKeyPathIsArchived = "isArchived"
