public import Foundation

/// A scheduled or logged dose of a medication.
open class HKMedicationDoseEvent: HKSample, NSCopying, @unchecked Sendable {
  /// The status of a dose.
  public enum LogStatus: Int, Hashable, Sendable {
    /// The subject did not respond to the reminder.
    case notInteracted = 1

    /// The reminder could not be delivered.
    case notificationNotSent = 2

    /// The subject postponed the reminder.
    case snoozed = 3

    /// The subject took the dose.
    case taken = 4

    /// The subject skipped the dose.
    case skipped = 5

    /// The subject withdrew an earlier status.
    case notLogged = 6
  }

  /// The reason for which a dose was logged.
  public enum ScheduleType: Int, Hashable, Sendable {
    /// The dose was taken as needed.
    case asNeeded = 1

    /// The dose was due by a schedule.
    case schedule = 2
  }

  /// Creates a dose.
  ///
  /// This is an addition: in HealthKit only the Health app creates doses. The schedule type is
  /// `schedule` if the scheduled date and quantity are given, and `asNeeded` if both are nil.
  ///
  /// - Parameters:
  ///   - medicationConceptIdentifier: The medication.
  ///   - logStatus: The status of the dose.
  ///   - scheduledDate: The date at which the dose was due.
  ///   - scheduledDoseQuantity: The quantity that was due.
  ///   - doseQuantity: The quantity that was taken.
  ///   - unit: The unit of both quantities.
  ///   - start: The start date of the dose.
  ///   - end: The end date of the dose.
  ///   - metadata: The metadata of the sample.
  ///   - sourceRevision: The source that recorded the dose, if not the running program.
  /// - Returns: The dose.
  /// - Throws: ``HKInvalidSampleError`` if only one of scheduled date and quantity is given, a
  ///   number or date is not finite, the dates are not in order, or the metadata cannot be stored.
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

  /// The status of the dose.
  open var logStatus: LogStatus { contents.status }

  /// The reason for which the dose was logged.
  open var scheduleType: ScheduleType { contents.scheduledDate == nil ? .asNeeded : .schedule }

  /// The date at which the dose was due, or nil if it was taken as needed.
  open var scheduledDate: Date? { contents.scheduledDate }

  /// The quantity that was due, in ``unit``, or nil if the dose was taken as needed.
  open var scheduledDoseQuantity: Double? { contents.scheduledDose }

  /// The quantity that was taken, in ``unit``, if recorded.
  open var doseQuantity: Double? { contents.dose }

  /// The unit of both quantities.
  open var unit: HKUnit { contents.unit }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  override class var payloadType: (any SamplePayload.Type)? { MedicationDosePayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is MedicationDosePayload
  }
}
