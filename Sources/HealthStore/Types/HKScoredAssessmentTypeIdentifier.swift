/// The name of a scored assessment type.
///
/// A typed string: any string can be wrapped, but only the constants name types that exist.
public struct HKScoredAssessmentTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The identifier as HealthKit and Apple's exports spell it.
  public var rawValue: String

  /// Wraps an identifier string.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Wraps an identifier string.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }
}

extension HKScoredAssessmentTypeIdentifier {
  /// The seven questions on generalised anxiety, GAD-7.
  public static let GAD7 = Self(rawValue: "HKScoredAssessmentTypeIdentifierGAD7")

  /// The nine questions on depression, PHQ-9.
  public static let PHQ9 = Self(rawValue: "HKScoredAssessmentTypeIdentifierPHQ9")

  static let all: [Self] = [.GAD7, .PHQ9]
}
