// Metadata keys for identity and origin: the constants, followed by the kind of value that each
// requires.

/// The manufacturer of the device: a string.
public let HKMetadataKeyDeviceManufacturerName = "HKDeviceManufacturerName"

/// The name of the device: a string.
public let HKMetadataKeyDeviceName = "HKDeviceName"

/// The serial number of the device: a string.
public let HKMetadataKeyDeviceSerialNumber = "HKDeviceSerialNumber"

/// A signature over the object: a string.
public let HKMetadataKeyDigitalSignature = "HKDigitalSignature"

/// The identifier that another system gave the object: a string.
public let HKMetadataKeyExternalUUID = "HKExternalUUID"

/// The type of food: a string.
public let HKMetadataKeyFoodType = "HKFoodType"

/// The text of a prescription for glasses: a string.
public let HKMetadataKeyGlassesPrescriptionDescription =
  "HKMetadataKeyGlassesPrescriptionDescription"

/// The identifier under which a newer version replaces the object: a string.
public let HKMetadataKeySyncIdentifier = "HKMetadataKeySyncIdentifier"

/// The version of the object: a number.
///
/// A higher version replaces the object.
public let HKMetadataKeySyncVersion = "HKMetadataKeySyncVersion"

/// The identifier of the user's time zone: a string.
public let HKMetadataKeyTimeZone = "HKTimeZone"

/// The device part of the unique device identifier: a string.
public let HKMetadataKeyUDIDeviceIdentifier = "HKUDIDeviceIdentifier"

/// The production part of the unique device identifier: a string.
public let HKMetadataKeyUDIProductionIdentifier = "HKUDIProductionIdentifier"

/// Whether the value was measured in a laboratory: a Boolean.
public let HKMetadataKeyWasTakenInLab = "HKWasTakenInLab"

/// Whether the user entered the value manually: a Boolean.
public let HKMetadataKeyWasUserEntered = "HKWasUserEntered"

extension MetadataKeyKind {
  static let identity: [String: MetadataKeyKind] = [
    HKMetadataKeyDeviceManufacturerName: .string,
    HKMetadataKeyDeviceName: .string,
    HKMetadataKeyDeviceSerialNumber: .string,
    HKMetadataKeyDigitalSignature: .string,
    HKMetadataKeyExternalUUID: .string,
    HKMetadataKeyFoodType: .string,
    HKMetadataKeyGlassesPrescriptionDescription: .string,
    HKMetadataKeySyncIdentifier: .string,
    HKMetadataKeySyncVersion: .number,
    HKMetadataKeyTimeZone: .string,
    HKMetadataKeyUDIDeviceIdentifier: .string,
    HKMetadataKeyUDIProductionIdentifier: .string,
    HKMetadataKeyWasTakenInLab: .bool,
    HKMetadataKeyWasUserEntered: .bool,
  ]
}
