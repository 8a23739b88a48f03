/// The name of a category type.
///
/// A typed string: any string can be wrapped, but only the constants name types that exist.
public struct HKCategoryTypeIdentifier: RawRepresentable, Hashable, Sendable {
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
