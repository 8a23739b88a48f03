import Foundation
import HealthStore

// JSON objects for metadata, devices and other parts of samples.
extension JSONObject {
  private static let boolClass: AnyClass = type(of: NSNumber(value: true))

  /// Creates an object of metadata, with dates in ISO 8601 and quantities with their unit.
  init(metadata: [String: Any]) {
    self.init()
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      switch value {
      case let value as HKQuantity:
        var quantity = JSONObject()
        quantity.add("value", value.value)
        quantity.add("unit", value.unit.unitString)
        add(key, quantity)
      case let value as NSNumber: add(key, raw: Self.number(value))
      case let value as String: add(key, value)
      case let value as Date: add(key, UTCText.text(value.timeIntervalSinceReferenceDate))
      default: add(key, "\(value)")
      }
    }
  }

  /// Creates an object of the properties of a device.
  init(device: HKDevice) {
    self.init()
    add(ifAny: "name", device.name)
    add(ifAny: "manufacturer", device.manufacturer)
    add(ifAny: "model", device.model)
    add(ifAny: "hardwareVersion", device.hardwareVersion)
    add(ifAny: "firmwareVersion", device.firmwareVersion)
    add(ifAny: "softwareVersion", device.softwareVersion)
    add(ifAny: "localIdentifier", device.localIdentifier)
    add(ifAny: "udiDeviceIdentifier", device.udiDeviceIdentifier)
  }

  private static func number(_ value: NSNumber) -> String {
    if Swift.type(of: value) == boolClass { return value.boolValue ? "true" : "false" }
    return number(value.doubleValue)
  }
}
