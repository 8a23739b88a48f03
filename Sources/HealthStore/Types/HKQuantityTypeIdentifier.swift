/// The identifier of a quantity type.
///
/// Any string can be wrapped, but only the constants identify existing types.
public struct HKQuantityTypeIdentifier: RawRepresentable, Hashable, Sendable {
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
