// Names of the properties of doses and medications for predicate formats.

/// When a dose was to be taken.
public let HKPredicateKeyPathScheduledDate = "scheduledDate"

/// What made a dose's record.
public let HKPredicateKeyPathLogOrigin = "logOrigin"

/// The medication of a dose.
public let HKPredicateKeyPathMedicationConceptIdentifier = "medicationConceptIdentifier"

/// Whether a medication is taken by a schedule.
public let HKUserAnnotatedMedicationPredicateKeyPathHasSchedule = "hasSchedule"

/// Whether a medication was archived.
public let HKUserAnnotatedMedicationPredicateKeyPathIsArchived = "isArchived"
