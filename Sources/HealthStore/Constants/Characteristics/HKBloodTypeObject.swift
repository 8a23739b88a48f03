public import Foundation

/// A box for the user's blood type, as returned by the store.
open class HKBloodTypeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The user's blood type.
  public let bloodType: HKBloodType

  package init(bloodType: HKBloodType) {
    self.bloodType = bloodType
    super.init()
  }

  /// Decodes the value, or returns nil if the archive has no known value.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "bloodType"),
      let value = HKBloodType(rawValue: coder.decodeInteger(forKey: "bloodType"))
    else { return nil }
    bloodType = value
    super.init()
  }

  /// Encodes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(bloodType.rawValue, forKey: "bloodType")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether the other object has the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKBloodTypeObject)?.bloodType == bloodType
  }

  /// A hash of the value.
  open override var hash: Int { bloodType.rawValue.hashValue }
}
