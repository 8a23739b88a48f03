/// The identifier of a characteristic type.
///
/// Any string can be wrapped, but only the constants identify existing types.
public struct HKCharacteristicTypeIdentifier: RawRepresentable, Hashable, Sendable {
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

extension HKCharacteristicTypeIdentifier {
  /// Whether the user's activity rings count energy or time.
  public static let activityMoveMode =
    Self(rawValue: "HKCharacteristicTypeIdentifierActivityMoveMode")

  /// The user's biological sex.
  public static let biologicalSex = Self(rawValue: "HKCharacteristicTypeIdentifierBiologicalSex")

  /// The user's blood type.
  public static let bloodType = Self(rawValue: "HKCharacteristicTypeIdentifierBloodType")

  /// The user's date of birth.
  public static let dateOfBirth = Self(rawValue: "HKCharacteristicTypeIdentifierDateOfBirth")

  /// The user's skin type on the Fitzpatrick scale.
  public static let fitzpatrickSkinType =
    Self(rawValue: "HKCharacteristicTypeIdentifierFitzpatrickSkinType")

  /// Whether the user uses a wheelchair.
  public static let wheelchairUse = Self(rawValue: "HKCharacteristicTypeIdentifierWheelchairUse")

  static let all: [Self] = [
    .activityMoveMode, .biologicalSex, .bloodType, .dateOfBirth, .fitzpatrickSkinType,
    .wheelchairUse,
  ]
}
