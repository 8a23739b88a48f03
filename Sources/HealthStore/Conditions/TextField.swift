import Foundation

/// A text field of an object, which may be nil.
enum TextField: Hashable, Sendable {
  case sourceName
  case sourceBundleIdentifier
  case sourceVersion
  case productType
  case device(DeviceProperty)

  /// Returns the field's value for an object.
  func value(of object: HKObject) -> String? {
    if case .device(let property) = self { return object.device?[keyPath: property.keyPath] }
    return value(of: object.sourceRevision)
  }

  /// Returns the field's value for a source revision, which has no device.
  func value(of revision: HKSourceRevision) -> String? {
    switch self {
    case .sourceName: revision.source.name
    case .sourceBundleIdentifier: revision.source.bundleIdentifier
    case .sourceVersion: revision.version
    case .productType: revision.productType
    case .device: nil
    }
  }

  /// Returns the field's value for a source, which has only two of the fields.
  func value(of source: HKSource) -> String? {
    switch self {
    case .sourceName: source.name
    case .sourceBundleIdentifier: source.bundleIdentifier
    default: nil
    }
  }

  /// The key path of the field in a format string.
  var name: String {
    switch self {
    case .sourceName: "source.name"
    case .sourceBundleIdentifier: "source.bundleIdentifier"
    case .sourceVersion: "sourceRevision.version"
    case .productType: "sourceRevision.productType"
    case .device(let property): "device.\(property.rawValue)"
    }
  }
}

/// One of the eight properties of a device.
enum DeviceProperty: String, Hashable, Sendable, CaseIterable {
  case name
  case manufacturer
  case model
  case hardwareVersion
  case firmwareVersion
  case softwareVersion
  case localIdentifier
  case udiDeviceIdentifier

  /// Creates the property for one of HealthKit's device property keys.
  init?(key: String) {
    switch key {
    case HKDevicePropertyKeyName: self = .name
    case HKDevicePropertyKeyManufacturer: self = .manufacturer
    case HKDevicePropertyKeyModel: self = .model
    case HKDevicePropertyKeyHardwareVersion: self = .hardwareVersion
    case HKDevicePropertyKeyFirmwareVersion: self = .firmwareVersion
    case HKDevicePropertyKeySoftwareVersion: self = .softwareVersion
    case HKDevicePropertyKeyLocalIdentifier: self = .localIdentifier
    case HKDevicePropertyKeyUDIDeviceIdentifier: self = .udiDeviceIdentifier
    default: return nil
    }
  }

  /// Creates the property for a key path in a format string.
  init?(keyPath: String) {
    self.init(rawValue: keyPath == "UDIDeviceIdentifier" ? "udiDeviceIdentifier" : keyPath)
  }

  var keyPath: KeyPath<HKDevice, String?> {
    switch self {
    case .name: \.name
    case .manufacturer: \.manufacturer
    case .model: \.model
    case .hardwareVersion: \.hardwareVersion
    case .firmwareVersion: \.firmwareVersion
    case .softwareVersion: \.softwareVersion
    case .localIdentifier: \.localIdentifier
    case .udiDeviceIdentifier: \.udiDeviceIdentifier
    }
  }
}
