public import Foundation

/// Information about the source of a location.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// Whether software simulated the location.
  public let isSimulatedBySoftware: Bool
  /// Whether an external accessory produced the location.
  public let isProducedByAccessory: Bool

  /// Creates source information.
  public init(
    softwareSimulationState isSimulated: Bool, andExternalAccessoryState isAccessory: Bool
  ) {
    isSimulatedBySoftware = isSimulated
    isProducedByAccessory = isAccessory
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Encodes both properties.
  open func encode(with coder: NSCoder) {
    coder.encode(isSimulatedBySoftware, forKey: "isSimulatedBySoftware")
    coder.encode(isProducedByAccessory, forKey: "isProducedByAccessory")
  }

  /// Decodes both properties.
  public required init?(coder: NSCoder) {
    isSimulatedBySoftware = coder.decodeBool(forKey: "isSimulatedBySoftware")
    isProducedByAccessory = coder.decodeBool(forKey: "isProducedByAccessory")
  }
}

/// The floor of a building.
///
/// This library never creates floors: as on Apple's systems, only a device can determine them.
open class CLFloor: NSObject, @unchecked Sendable {
  /// The number of the floor; the ground floor is 0.
  public let level: Int

  init(level: Int) { self.level = level }
}
