public import Foundation

/// Holds whether the user uses a wheelchair, as the store returns it.
open class HKWheelchairUseObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// Whether the user uses a wheelchair.
  public let wheelchairUse: HKWheelchairUse

  package init(wheelchairUse: HKWheelchairUse) {
    self.wheelchairUse = wheelchairUse
    super.init()
  }

  /// Reads the value from an archive; nil when it holds none that is known.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "wheelchairUse"),
      let value = HKWheelchairUse(rawValue: coder.decodeInteger(forKey: "wheelchairUse"))
    else { return nil }
    wheelchairUse = value
    super.init()
  }

  /// Writes the value to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(wheelchairUse.rawValue, forKey: "wheelchairUse")
  }

  /// Whether the class archives safely, which it does.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object holds the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKWheelchairUseObject)?.wheelchairUse == wheelchairUse
  }

  /// A hash of the value.
  open override var hash: Int { wheelchairUse.rawValue.hashValue }
}
