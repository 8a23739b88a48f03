public import Foundation

/// What is known of where a location came from.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// Whether software simulated the location.
  public let isSimulatedBySoftware: Bool
  /// Whether an external accessory produced the location.
  public let isProducedByAccessory: Bool

  /// Makes it of its two facts.
  public init(
    softwareSimulationState isSimulated: Bool, andExternalAccessoryState isAccessory: Bool
  ) {
    isSimulatedBySoftware = isSimulated
    isProducedByAccessory = isAccessory
  }

  /// Returns itself, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Writes both facts.
  open func encode(with coder: NSCoder) {
    coder.encode(isSimulatedBySoftware, forKey: "isSimulatedBySoftware")
    coder.encode(isProducedByAccessory, forKey: "isProducedByAccessory")
  }

  /// Reads both facts.
  public required init?(coder: NSCoder) {
    isSimulatedBySoftware = coder.decodeBool(forKey: "isSimulatedBySoftware")
    isProducedByAccessory = coder.decodeBool(forKey: "isProducedByAccessory")
  }
}

/// The floor of a building.
///
/// Nothing here makes one: as on Apple's systems only a device knows it.
open class CLFloor: NSObject, @unchecked Sendable {
  /// The number of the floor, counted from the ground floor, which is 0.
  public let level: Int

  init(level: Int) { self.level = level }
}
