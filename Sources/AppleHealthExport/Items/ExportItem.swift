public import Foundation

/// A child of the root, as ``ExportReader/next()`` delivers it.
public enum ExportItem: Equatable, Sendable {
  /// The root's locale, such as `en_FR`; always first.
  case locale(String)
  /// When the export was made.
  case exportDate(Date)
  /// Whose data it is: attribute names and values of `Me`, such as
  /// `HKCharacteristicTypeIdentifierBloodType`.
  case characteristics([ExportEntry])
  /// A sample at top level.
  case record(ExportRecord)
  /// A correlation with its records.
  case correlation(ExportCorrelation)
  /// A workout with its parts.
  case workout(ExportWorkout)
  /// One day's rings.
  case activitySummary(ExportActivitySummary)
  /// A reference to a FHIR file: attribute names and values.
  case clinicalRecord([ExportEntry])
  /// A hearing test.
  case audiogram(ExportAudiogram)
  /// Glasses or contact lenses.
  case visionPrescription(ExportVisionPrescription)
  /// What an export of this library has with attributes of its own.
  case stored(ExportStoredItem)

  /// Whether it counts in the progress of a reader.
  var isRecord: Bool {
    switch self {
    case .record: true
    case .stored(let item): !item.belongsToLast
    default: false
    }
  }

  /// Whether it belongs to the item before it.
  var belongsToLast: Bool { if case .stored(let item) = self { item.belongsToLast } else { false } }
}

/// One day's rings.
public struct ExportActivitySummary: Equatable, Sendable {
  /// Year, month and day; nil when they are missing.
  public var day: DateComponents?
  /// Energy in ``energyUnit``.
  public var activeEnergyBurned: Double?
  /// Energy in ``energyUnit``.
  public var activeEnergyBurnedGoal: Double?
  /// The unit of the two energies.
  public var energyUnit: String?
  /// Minutes; `appleMoveMinutes` in exports before 2021.
  public var appleMoveTime: Double?
  /// Minutes.
  public var appleMoveTimeGoal: Double?
  /// Minutes.
  public var appleExerciseTime: Double?
  /// Minutes.
  public var appleExerciseTimeGoal: Double?
  /// Hours with standing in them.
  public var appleStandHours: Double?
  /// Hours with standing in them.
  public var appleStandHoursGoal: Double?
}

/// A hearing test.
public struct ExportAudiogram: Equatable, Sendable {
  /// The type identifier; absent in some versions.
  public var type: String?
  /// Who wrote it.
  public var origin: ExportOrigin
  /// When it starts.
  public var startDate: Date
  /// When it ends.
  public var endDate: Date
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
  /// One point per frequency: attribute names and values.
  public var points: [[ExportEntry]] = []
}

/// Glasses or contact lenses.
public struct ExportVisionPrescription: Equatable, Sendable {
  /// The kind of prescription.
  public var type: String
  /// When it was issued, as text: a day or an instant.
  public var dateIssued: String
  /// When it ends, as text.
  public var expirationDate: String?
  /// The brand of contact lenses.
  public var brand: String?
  /// Attribute names and values.
  public var rightEye: [ExportEntry] = []
  /// Attribute names and values.
  public var leftEye: [ExportEntry] = []
  /// The identifiers of attached files.
  public var attachments: [String] = []
  /// The metadata in file order.
  public var metadata: [ExportEntry] = []
}
