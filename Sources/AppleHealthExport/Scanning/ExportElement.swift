/// The elements of Apple's exports, and those that this library adds.
package enum ExportElement: UInt8, CaseIterable, Sendable {
  case unknown
  case healthData, exportDate, me, record, correlation, workout, activitySummary
  case clinicalRecord, audiogram, visionPrescription
  case metadataEntry, heartRateVariabilityMetadataList, instantaneousBeatsPerMinute
  case workoutEvent, workoutStatistics, workoutActivity, workoutRoute, fileReference, location
  case sensitivityPoint, rightEye, leftEye, attachment
  case storedSample, storedRow, storedPart, storedSetting

  /// The name as it stands in the file.
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

  /// Whether an item begins with this element inside that one, and nothing around it goes on.
  ///
  /// An element that only the root contains ends all open ones; so does a record, except where it
  /// is a part. An element without a meaning here is no parent: what counts is the one around it.
  func beginsItem(in parent: ExportElement?) -> Bool {
    switch self {
    case .exportDate, .me, .correlation, .workout, .activitySummary, .clinicalRecord, .audiogram,
      .visionPrescription, .storedSample, .storedRow, .storedSetting:
      true
    case .record: parent?.holdsRecords != true
    default: false
    }
  }

  /// Whether a record inside this element is a part of it.
  var holdsRecords: Bool { self == .correlation || isInWorkout }

  /// Whether this element is a workout or a part of one that has parts itself.
  var isInWorkout: Bool {
    switch self {
    case .workout, .workoutActivity, .workoutEvent, .workoutRoute, .workoutStatistics: true
    default: false
    }
  }

  /// The element with this name, or `unknown`.
  static func named(_ bytes: UnsafeBufferPointer<UInt8>) -> ExportElement {
    // The lengths of the names are nearly unique, so at most a few comparisons are made.
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
