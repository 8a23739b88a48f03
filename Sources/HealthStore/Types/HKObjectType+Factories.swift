// Factory functions for object types.
extension HKObjectType {
  /// Returns the quantity type with the given identifier, or nil if there is none.
  public class func quantityType(
    forIdentifier identifier: HKQuantityTypeIdentifier
  ) -> HKQuantityType? {
    TypeCatalogue.shared.quantityTypes[identifier.rawValue]
  }

  /// Returns the category type with the given identifier, or nil if there is none.
  public class func categoryType(
    forIdentifier identifier: HKCategoryTypeIdentifier
  ) -> HKCategoryType? {
    TypeCatalogue.shared.categoryTypes[identifier.rawValue]
  }

  /// Returns the characteristic type with the given identifier, or nil if there is none.
  public class func characteristicType(
    forIdentifier identifier: HKCharacteristicTypeIdentifier
  ) -> HKCharacteristicType? {
    make(identifier: identifier.rawValue) as? HKCharacteristicType
  }

  /// Returns the correlation type with the given identifier, or nil if there is none.
  public class func correlationType(
    forIdentifier identifier: HKCorrelationTypeIdentifier
  ) -> HKCorrelationType? {
    make(identifier: identifier.rawValue) as? HKCorrelationType
  }

  /// Returns the document type with the given identifier, or nil if there is none.
  public class func documentType(
    forIdentifier identifier: HKDocumentTypeIdentifier
  ) -> HKDocumentType? {
    make(identifier: identifier.rawValue) as? HKDocumentType
  }

  /// Returns the clinical type with the given identifier, or nil if there is none.
  public class func clinicalType(
    forIdentifier identifier: HKClinicalTypeIdentifier
  ) -> HKClinicalType? {
    make(identifier: identifier.rawValue) as? HKClinicalType
  }

  /// Returns the scored assessment type with the given identifier, or nil if there is none.
  public class func scoredAssessmentType(
    forIdentifier identifier: HKScoredAssessmentTypeIdentifier
  ) -> HKScoredAssessmentType? {
    make(identifier: identifier.rawValue) as? HKScoredAssessmentType
  }

  /// Returns the series type with the given identifier, or nil if there is none.
  public class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
    make(identifier: identifier) as? HKSeriesType
  }

  /// Returns the type of workouts.
  public class func workoutType() -> HKWorkoutType {
    TypeCatalogue.shared.workout
  }

  /// Returns the type of activity summaries.
  public class func activitySummaryType() -> HKActivitySummaryType {
    TypeCatalogue.shared.activitySummary
  }

  /// Returns the type of audiograms.
  public class func audiogramSampleType() -> HKAudiogramSampleType {
    TypeCatalogue.shared.audiogram
  }

  /// Returns the type of electrocardiograms.
  public class func electrocardiogramType() -> HKElectrocardiogramType {
    TypeCatalogue.shared.electrocardiogram
  }

  /// Returns the type of vision prescriptions.
  public class func visionPrescriptionType() -> HKPrescriptionType {
    TypeCatalogue.shared.visionPrescription
  }

  /// Returns the type of states of mind.
  public class func stateOfMindType() -> HKStateOfMindType {
    TypeCatalogue.shared.stateOfMind
  }

  /// Returns the type with the given identifier, or nil if there is none.
  ///
  /// Does not allocate memory.
  package static func make(identifier: String) -> HKObjectType? {
    TypeCatalogue.shared.types[identifier]
  }

  /// Returns whether an identifier has the form of a category type's, including types that are not
  /// known yet.
  package static func isCategory(identifier: String) -> Bool {
    let prefix = "HKCategoryTypeIdentifier"
    return identifier.hasPrefix(prefix) && identifier.utf8.count > prefix.utf8.count
  }

  /// Returns whether an identifier has the form of a correlation type's, including types that are
  /// not known yet.
  static func isCorrelation(identifier: String) -> Bool {
    identifier.hasPrefix("HKCorrelationTypeIdentifier")
  }
}
