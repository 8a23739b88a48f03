/// The identifier of a document type.
///
/// Any string can be wrapped, but only the constants identify existing types.
public struct HKDocumentTypeIdentifier: RawRepresentable, Hashable, Sendable {
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

extension HKDocumentTypeIdentifier {
  /// A document in the Clinical Document Architecture.
  public static let CDA = Self(rawValue: "HKDocumentTypeIdentifierCDA")

  static let all: [Self] = [.CDA]
}
