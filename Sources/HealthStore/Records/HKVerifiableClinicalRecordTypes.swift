/// The credential type of a verifiable clinical record.
public struct HKVerifiableClinicalRecordCredentialType: RawRepresentable, Hashable, Sendable {
  /// The name of the type, as spelled in SMART Health Cards.
  public var rawValue: String

  /// Creates a type from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// COVID-19.
  public static let covid19 = Self(rawValue: "https://smarthealth.cards#covid19")

  /// An immunisation.
  public static let immunization = Self(rawValue: "https://smarthealth.cards#immunization")

  /// A laboratory result.
  public static let laboratory = Self(rawValue: "https://smarthealth.cards#laboratory")

  /// A recovery.
  ///
  /// Apple does not publish the spelling.
  public static let recovery = Self(rawValue: "https://smarthealth.cards#recovery")
}

/// The source type of a verifiable clinical record.
///
/// Apple does not publish the spellings.
public struct HKVerifiableClinicalRecordSourceType: RawRepresentable, Hashable, Sendable {
  /// The name of the source type.
  public var rawValue: String

  /// Creates a source type from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A SMART Health Card.
  public static let smartHealthCard = Self(rawValue: "SMARTHealthCard")

  /// A digital COVID certificate of the European Union.
  public static let euDigitalCOVIDCertificate = Self(rawValue: "EUDigitalCOVIDCertificate")
}
