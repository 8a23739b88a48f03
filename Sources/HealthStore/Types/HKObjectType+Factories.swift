extension HKObjectType {
  /// The quantity type of that identifier, or nil when there is none.
  public class func quantityType(
    forIdentifier identifier: HKQuantityTypeIdentifier
  ) -> HKQuantityType? {
    TypeCatalogue.shared.quantityTypes[identifier.rawValue]
  }

  /// The category type of that identifier, or nil when there is none.
  public class func categoryType(
    forIdentifier identifier: HKCategoryTypeIdentifier
  ) -> HKCategoryType? {
    TypeCatalogue.shared.categoryTypes[identifier.rawValue]
  }

  /// The characteristic type of that identifier, or nil when there is none.
  public class func characteristicType(
    forIdentifier identifier: HKCharacteristicTypeIdentifier
  ) -> HKCharacteristicType? {
    make(identifier: identifier.rawValue) as? HKCharacteristicType
  }

  /// The correlation type of that identifier, or nil when there is none.
  public class func correlationType(
    forIdentifier identifier: HKCorrelationTypeIdentifier
  ) -> HKCorrelationType? {
    make(identifier: identifier.rawValue) as? HKCorrelationType
  }

  /// The document type of that identifier, or nil when there is none.
  public class func documentType(
    forIdentifier identifier: HKDocumentTypeIdentifier
  ) -> HKDocumentType? {
    make(identifier: identifier.rawValue) as? HKDocumentType
  }

  /// The clinical type of that identifier, or nil when there is none.
  public class func clinicalType(
    forIdentifier identifier: HKClinicalTypeIdentifier
  ) -> HKClinicalType? {
    make(identifier: identifier.rawValue) as? HKClinicalType
  }

  /// The scored assessment type of that identifier, or nil when there is none.
  public class func scoredAssessmentType(
    forIdentifier identifier: HKScoredAssessmentTypeIdentifier
  ) -> HKScoredAssessmentType? {
    make(identifier: identifier.rawValue) as? HKScoredAssessmentType
  }

  /// The series type of that identifier, or nil when there is none.
  public class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
    make(identifier: identifier) as? HKSeriesType
  }

  /// The type of all workouts.
  public class func workoutType() -> HKWorkoutType {
    TypeCatalogue.shared.workout
  }

  /// The type of all activity summaries.
  public class func activitySummaryType() -> HKActivitySummaryType {
    TypeCatalogue.shared.activitySummary
  }

  /// The type of all audiograms.
  public class func audiogramSampleType() -> HKAudiogramSampleType {
    TypeCatalogue.shared.audiogram
  }

  /// The type of all electrocardiograms.
  public class func electrocardiogramType() -> HKElectrocardiogramType {
    TypeCatalogue.shared.electrocardiogram
  }

  /// The type of all vision prescriptions.
  public class func visionPrescriptionType() -> HKPrescriptionType {
    TypeCatalogue.shared.visionPrescription
  }

  /// The type of all states of mind.
  public class func stateOfMindType() -> HKStateOfMindType {
    TypeCatalogue.shared.stateOfMind
  }

  /// The type of any identifier there is, or nil; allocates nothing.
  package static func make(identifier: String) -> HKObjectType? {
    TypeCatalogue.shared.types[identifier]
  }

  /// Whether an identifier has the form of a category type's, also one of a later system.
  package static func isCategory(identifier: String) -> Bool {
    let prefix = "HKCategoryTypeIdentifier"
    return identifier.hasPrefix(prefix) && identifier.utf8.count > prefix.utf8.count
  }

  /// Whether an identifier has the form of a correlation type's, also one of a later system.
  static func isCorrelation(identifier: String) -> Bool {
    identifier.hasPrefix("HKCorrelationTypeIdentifier")
  }
}
