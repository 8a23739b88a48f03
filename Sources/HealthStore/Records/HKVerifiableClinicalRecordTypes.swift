/// What a verifiable clinical record is about.
public struct HKVerifiableClinicalRecordCredentialType: RawRepresentable, Hashable, Sendable {
  /// The type's name, as SMART Health Cards spell it.
  public var rawValue: String

  /// Wraps a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// COVID-19.
  public static let covid19 = Self(rawValue: "https://smarthealth.cards#covid19")

  /// An immunisation.
  public static let immunization = Self(rawValue: "https://smarthealth.cards#immunization")

  /// A laboratory result.
  public static let laboratory = Self(rawValue: "https://smarthealth.cards#laboratory")

  /// A recovery; Apple does not publish its spelling.
  public static let recovery = Self(rawValue: "https://smarthealth.cards#recovery")
}

/// The form that a verifiable clinical record came in; Apple does not publish the spellings.
public struct HKVerifiableClinicalRecordSourceType: RawRepresentable, Hashable, Sendable {
  /// The form's name.
  public var rawValue: String

  /// Wraps a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A SMART Health Card.
  public static let smartHealthCard = Self(rawValue: "SMARTHealthCard")

  /// A digital COVID certificate of the European Union.
  public static let euDigitalCOVIDCertificate = Self(rawValue: "EUDigitalCOVIDCertificate")
}

/// The type of verifiable clinical records, which HealthKit has but does not publish.
final class VerifiableClinicalRecordType: HKSampleType, @unchecked Sendable {}
