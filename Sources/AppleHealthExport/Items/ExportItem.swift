public import Foundation

/// An item of an export, as ``ExportReader/next()`` delivers it.
public enum ExportItem: Equatable, Sendable {
  /// The root's locale, such as `en_FR`; always the first item.
  case locale(String)
  /// The date of the export.
  case exportDate(Date)
  /// The subject's characteristics: attribute names and values of `Me`, such as
  /// `HKCharacteristicTypeIdentifierBloodType`.
  case characteristics([ExportEntry])
  /// A quantity or category sample.
  case record(ExportRecord)
  /// A correlation with its records.
  case correlation(ExportCorrelation)
  /// A workout with its parts.
  case workout(ExportWorkout)
  /// The activity summary of one day.
  case activitySummary(ExportActivitySummary)
  /// A reference to a FHIR file: attribute names and values.
  case clinicalRecord([ExportEntry])
  /// A hearing test.
  case audiogram(ExportAudiogram)
  /// A prescription for glasses or contact lenses.
  case visionPrescription(ExportVisionPrescription)
  /// An object, child row or setting with attributes of this library.
  case stored(ExportStoredItem)

  /// Whether the item counts as a record in ``ExportProgress``.
  var isRecord: Bool {
    switch self {
    case .record: true
    case .stored(let item): !item.belongsToLast
    default: false
    }
  }

  /// Whether the item is a child row of the preceding item.
  var belongsToLast: Bool { if case .stored(let item) = self { item.belongsToLast } else { false } }
}

/// The activity summary of one day.
public struct ExportActivitySummary: Equatable, Sendable {
  /// The year, month and day, or nil if they are missing.
  public var day: DateComponents?
  /// The active energy burned, in ``energyUnit``.
  public var activeEnergyBurned: Double?
  /// The goal for active energy burned, in ``energyUnit``.
  public var activeEnergyBurnedGoal: Double?
  /// The unit of both energies.
  public var energyUnit: String?
  /// The move time in minutes; `appleMoveMinutes` in exports before 2021.
  public var appleMoveTime: Double?
  /// The goal for move time, in minutes.
  public var appleMoveTimeGoal: Double?
  /// The exercise time in minutes.
  public var appleExerciseTime: Double?
  /// The goal for exercise time, in minutes.
  public var appleExerciseTimeGoal: Double?
  /// The number of hours that include standing.
  public var appleStandHours: Double?
  /// The goal for hours that include standing.
  public var appleStandHoursGoal: Double?
}

/// A hearing test.
public struct ExportAudiogram: Equatable, Sendable {
  /// The type identifier, which some versions omit.
  public var type: String?
  /// The source and device of the test.
  public var origin: ExportOrigin
  /// The start date.
  public var startDate: Date
  /// The end date.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// The sensitivity points, one per frequency, as attribute names and values.
  public var points: [[ExportEntry]] = []
}

/// A prescription for glasses or contact lenses.
public struct ExportVisionPrescription: Equatable, Sendable {
  /// The kind of prescription.
  public var type: String
  /// The date of issue, as text: a day or an instant.
  public var dateIssued: String
  /// The date of expiration, as text: a day or an instant.
  public var expirationDate: String?
  /// The brand of contact lenses.
  public var brand: String?
  /// The right eye's lens, as attribute names and values.
  public var rightEye: [ExportEntry] = []
  /// The left eye's lens, as attribute names and values.
  public var leftEye: [ExportEntry] = []
  /// The identifiers of attached files.
  public var attachments: [String] = []
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
}
