/// The identifier of a correlation type.
///
/// Any string can be wrapped, but only the constants identify existing types.
public struct HKCorrelationTypeIdentifier: RawRepresentable, Hashable, Sendable {
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

extension HKCorrelationTypeIdentifier {
  /// A blood pressure reading; pairs a systolic with a diastolic quantity sample.
  public static let bloodPressure = Self(rawValue: "HKCorrelationTypeIdentifierBloodPressure")

  /// A food; groups the nutrition samples of one meal or item.
  public static let food = Self(rawValue: "HKCorrelationTypeIdentifierFood")

  static let all: [Self] = [.bloodPressure, .food]
}
