/// The identifier of a scored assessment type.
///
/// Any string can be wrapped, but only the constants identify existing types.
public struct HKScoredAssessmentTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The identifier, as spelled in HealthKit and in Apple's exports.
  public var rawValue: String

  /// Creates an identifier from a string.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates an identifier from a string.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension HKScoredAssessmentTypeIdentifier {
  /// The GAD-7 questionnaire on generalised anxiety.
  public static let GAD7 = Self(rawValue: "HKScoredAssessmentTypeIdentifierGAD7")

  /// The PHQ-9 questionnaire on depression.
  public static let PHQ9 = Self(rawValue: "HKScoredAssessmentTypeIdentifierPHQ9")

  static let all: [Self] = [.GAD7, .PHQ9]
}
