/// A release of FHIR, the standard for clinical resources.
public struct HKFHIRRelease: RawRepresentable, Hashable, Sendable {
  /// The name of the release.
  public var rawValue: String

  /// Creates a release from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The second draft, versions 1.0.
  public static let dstu2 = Self(rawValue: "DSTU2")

  /// The fourth release, versions 4.0.
  public static let r4 = Self(rawValue: "R4")

  /// Any other release.
  public static let unknown = Self(rawValue: "Unknown")
}
