// Property names of devices for predicates.

/// The name of a device.
public let HKDevicePropertyKeyName = "HKDevicePropertyName"

/// The manufacturer of a device.
public let HKDevicePropertyKeyManufacturer = "HKDevicePropertyManufacturer"

/// The model of a device.
public let HKDevicePropertyKeyModel = "HKDevicePropertyModel"

/// The hardware version of a device.
public let HKDevicePropertyKeyHardwareVersion = "HKDevicePropertyHardwareVersion"

/// The firmware version of a device.
public let HKDevicePropertyKeyFirmwareVersion = "HKDevicePropertyFirmwareVersion"

/// The software version of a device.
public let HKDevicePropertyKeySoftwareVersion = "HKDevicePropertySoftwareVersion"

/// The local identifier of a device.
public let HKDevicePropertyKeyLocalIdentifier = "HKDevicePropertyLocalIdentifier"

/// The unique device identifier of a device.
public let HKDevicePropertyKeyUDIDeviceIdentifier = "HKDevicePropertyUDIDeviceIdentifier"
