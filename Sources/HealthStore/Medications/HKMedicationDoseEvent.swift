public import Foundation

/// A dose of a medication: taken, skipped or still to come.
open class HKMedicationDoseEvent: HKSample, NSCopying, @unchecked Sendable {
  /// What became of a dose.
  public enum LogStatus: Int, Hashable, Sendable {
    /// The person did nothing about a reminder.
    case notInteracted = 1

    /// The reminder could not be delivered.
    case notificationNotSent = 2

    /// The person put the reminder off.
    case snoozed = 3

    /// The person took the dose.
    case taken = 4

    /// The person skipped the dose.
    case skipped = 5

    /// The person took back what was said before.
    case notLogged = 6
  }

  /// Why a dose was logged.
  public enum ScheduleType: Int, Hashable, Sendable {
    /// The person took it when it was needed.
    case asNeeded = 1

    /// A schedule called for it.
    case schedule = 2
  }

  /// Makes a dose.
  ///
  /// Our addition: HealthKit's are made by the Health app alone. With a scheduled date and quantity
  /// its schedule type is `schedule`, without both `asNeeded`.
  ///
  /// - Parameters:
  ///   - medicationConceptIdentifier: The medication.
  ///   - logStatus: What became of the dose.
  ///   - scheduledDate: When the dose was to be taken.
  ///   - scheduledDoseQuantity: How much was to be taken.
  ///   - doseQuantity: How much was taken.
  ///   - unit: What quantities are counted in.
  ///   - start: When the dose begins.
  ///   - end: When it ends.
  ///   - metadata: Further facts.
  ///   - sourceRevision: Who recorded the dose, when that is not the running program.
  /// - Returns: The dose.
  /// - Throws: ``HKInvalidSampleError`` when a scheduled date comes without a quantity or the
  ///   reverse, a number or date is not finite, dates are not in order, or metadata cannot be
  ///   stored.
  public static func validated(
    medicationConceptIdentifier: HKHealthConceptIdentifier, logStatus: LogStatus,
    scheduledDate: Date? = nil, scheduledDoseQuantity: Double? = nil, doseQuantity: Double? = nil,
    unit: HKUnit = .count(), start: Date, end: Date, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKMedicationDoseEvent {
    HKMedicationDoseEvent(
      built: try BuiltSample(
        validating: .medicationDoseEventType(), start: start, end: end,
        payload: MedicationDosePayload(
          medication: medicationConceptIdentifier, status: logStatus, scheduledDate: scheduledDate,
          scheduledDose: scheduledDoseQuantity, dose: doseQuantity, unit: unit),
        device: nil, metadata: metadata, sourceRevision: sourceRevision))
  }

  private var contents: MedicationDosePayload { payload(MedicationDosePayload.self) }

  /// The type of all doses.
  open var medicationDoseEventType: HKMedicationDoseEventType { .medicationDoseEventType() }

  /// The medication.
  open var medicationConceptIdentifier: HKHealthConceptIdentifier { contents.medication }

  /// What became of the dose.
  open var logStatus: LogStatus { contents.status }

  /// Why the dose was logged.
  open var scheduleType: ScheduleType { contents.scheduledDate == nil ? .asNeeded : .schedule }

  /// When the dose was to be taken; nil as needed.
  open var scheduledDate: Date? { contents.scheduledDate }

  /// How much was to be taken, in ``unit``; nil as needed.
  open var scheduledDoseQuantity: Double? { contents.scheduledDose }

  /// How much was taken, in ``unit``, if that was said.
  open var doseQuantity: Double? { contents.dose }

  /// What quantities are counted in.
  open var unit: HKUnit { contents.unit }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is MedicationDosePayload
  }
}
