/// The name of a document type.
///
/// A typed string: any string can be wrapped, but only the constants name types that exist.
public struct HKDocumentTypeIdentifier: RawRepresentable, Hashable, Sendable {
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

extension HKDocumentTypeIdentifier {
  /// A document in the Clinical Document Architecture.
  public static let CDA = Self(rawValue: "HKDocumentTypeIdentifierCDA")

  static let all: [Self] = [.CDA]
}
