/// The elements of Apple's exports, and those added by this library.
package enum ExportElement: UInt8, CaseIterable, Sendable {
  case unknown
  case healthData, exportDate, me, record, correlation, workout, activitySummary
  case clinicalRecord, audiogram, visionPrescription
  case metadataEntry, heartRateVariabilityMetadataList, instantaneousBeatsPerMinute
  case workoutEvent, workoutStatistics, workoutActivity, workoutRoute, fileReference, location
  case sensitivityPoint, rightEye, leftEye, attachment
  case storedSample, storedRow, storedPart, storedSetting

  /// The element's name in the file.
  package var name: StaticString {
    switch self {
    case .unknown: ""
    case .healthData: "HealthData"
    case .exportDate: "ExportDate"
    case .me: "Me"
    case .record: "Record"
    case .correlation: "Correlation"
    case .workout: "Workout"
    case .activitySummary: "ActivitySummary"
    case .clinicalRecord: "ClinicalRecord"
    case .audiogram: "Audiogram"
    case .visionPrescription: "VisionPrescription"
    case .metadataEntry: "MetadataEntry"
    case .heartRateVariabilityMetadataList: "HeartRateVariabilityMetadataList"
    case .instantaneousBeatsPerMinute: "InstantaneousBeatsPerMinute"
    case .workoutEvent: "WorkoutEvent"
    case .workoutStatistics: "WorkoutStatistics"
    case .workoutActivity: "WorkoutActivity"
    case .workoutRoute: "WorkoutRoute"
    case .fileReference: "FileReference"
    case .location: "Location"
    case .sensitivityPoint: "SensitivityPoint"
    case .rightEye: "RightEye"
    case .leftEye: "LeftEye"
    case .attachment: "Attachment"
    case .storedSample: "store:Sample"
    case .storedRow: "store:Row"
    case .storedPart: "store:Part"
    case .storedSetting: "store:Setting"
    }
  }

  /// Whether this element is an item, whose meaning does not depend on its position.
  var isItem: Bool {
    switch self {
    case .exportDate, .me, .record, .correlation, .workout, .activitySummary, .clinicalRecord,
      .audiogram, .visionPrescription, .storedSample, .storedRow, .storedSetting:
      true
    default: false
    }
  }

  /// Whether this element is a part of an item and itself contains parts.
  var isPartWithParts: Bool {
    switch self {
    case .workoutEvent, .workoutActivity, .workoutRoute, .workoutStatistics: true
    default: false
    }
  }

  /// Returns whether this element can contain `part`.
  ///
  /// Exports contain more than their document type declares: activities of iOS 26 have events and
  /// statistics.
  func holds(_ part: ExportElement) -> Bool {
    switch part {
    case .record: self == .correlation || self == .workout || self == .workoutActivity
    case .workoutEvent, .workoutStatistics: self == .workout || self == .workoutActivity
    case .workoutActivity, .workoutRoute: self == .workout
    case .fileReference, .location: self == .workoutRoute
    case .heartRateVariabilityMetadataList, .instantaneousBeatsPerMinute: self == .record
    case .sensitivityPoint: self == .audiogram
    case .rightEye, .leftEye, .attachment: self == .visionPrescription
    case .metadataEntry:
      switch self {
      case .record, .correlation, .workout, .workoutEvent, .workoutActivity, .workoutRoute,
        .audiogram, .visionPrescription:
        true
      default: false
      }
    default: false
    }
  }

  /// Returns the element with this name, or `unknown`.
  static func named(_ bytes: UnsafeBufferPointer<UInt8>) -> ExportElement {
    // Few names share a length, so a lookup makes at most a few comparisons.
    let candidates: [ExportElement] = bytes.count < byLength.count ? byLength[bytes.count] : []
    for element in candidates where bytes.equals(element.name) { return element }
    return .unknown
  }

  private static let byLength: [[ExportElement]] = {
    var table = [[ExportElement]](repeating: [], count: 40)
    for element in allCases where element != .unknown {
      table[element.name.utf8CodeUnitCount].append(element)
    }
    return table
  }()
}
