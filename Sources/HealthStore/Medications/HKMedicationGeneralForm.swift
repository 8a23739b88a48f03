/// The form of a medication.
///
/// Apple does not document the raw values.
public struct HKMedicationGeneralForm: RawRepresentable, Hashable, Sendable {
  /// The name of the form.
  public var rawValue: String

  /// Creates a form from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A capsule.
  public static let capsule = Self(rawValue: "capsule")

  /// A cream.
  public static let cream = Self(rawValue: "cream")

  /// A device.
  public static let device = Self(rawValue: "device")

  /// Drops.
  public static let drops = Self(rawValue: "drops")

  /// A foam.
  public static let foam = Self(rawValue: "foam")

  /// A gel.
  public static let gel = Self(rawValue: "gel")

  /// An inhaler.
  public static let inhaler = Self(rawValue: "inhaler")

  /// An injection.
  public static let injection = Self(rawValue: "injection")

  /// A liquid.
  public static let liquid = Self(rawValue: "liquid")

  /// A lotion.
  public static let lotion = Self(rawValue: "lotion")

  /// An ointment.
  public static let ointment = Self(rawValue: "ointment")

  /// A patch.
  public static let patch = Self(rawValue: "patch")

  /// A powder.
  public static let powder = Self(rawValue: "powder")

  /// A spray.
  public static let spray = Self(rawValue: "spray")

  /// A suppository.
  public static let suppository = Self(rawValue: "suppository")

  /// A tablet.
  public static let tablet = Self(rawValue: "tablet")

  /// Another form that is applied to the skin.
  public static let topical = Self(rawValue: "topical")

  /// An unknown form.
  public static let unknown = Self(rawValue: "unknown")
}
