public import Foundation

/// A box for the user's wheelchair use, as returned by the store.
open class HKWheelchairUseObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// Whether the user uses a wheelchair.
  public let wheelchairUse: HKWheelchairUse

  package init(wheelchairUse: HKWheelchairUse) {
    self.wheelchairUse = wheelchairUse
    super.init()
  }

  /// Decodes the value, or returns nil if the archive has no known value.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "wheelchairUse"),
      let value = HKWheelchairUse(rawValue: coder.decodeInteger(forKey: "wheelchairUse"))
    else { return nil }
    wheelchairUse = value
    super.init()
  }

  /// Encodes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(wheelchairUse.rawValue, forKey: "wheelchairUse")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether the other object has the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKWheelchairUseObject)?.wheelchairUse == wheelchairUse
  }

  /// A hash of the value.
  open override var hash: Int { wheelchairUse.rawValue.hashValue }
}
