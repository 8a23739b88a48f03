/// The type of questionnaires with a score.
open class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
  /// Creates the type with the given identifier.
  ///
  /// If the identifier may be unknown, use the factory function, which returns nil.
  ///
  /// - Precondition: The identifier names a scored assessment type.
  public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
    guard let known = HKObjectType.scoredAssessmentType(forIdentifier: identifier) else {
      fatalError("\(identifier.rawValue) is the identifier of no scored assessment type")
    }
    self.init(info: known.info)
  }
}
