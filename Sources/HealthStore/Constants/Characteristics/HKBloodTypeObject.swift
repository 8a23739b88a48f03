public import Foundation

/// Holds the user's blood type, as the store returns it.
open class HKBloodTypeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The user's blood type.
  public let bloodType: HKBloodType

  package init(bloodType: HKBloodType) {
    self.bloodType = bloodType
    super.init()
  }

  /// Reads the value from an archive; nil when it holds none that is known.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "bloodType"),
      let value = HKBloodType(rawValue: coder.decodeInteger(forKey: "bloodType"))
    else { return nil }
    bloodType = value
    super.init()
  }

  /// Writes the value to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(bloodType.rawValue, forKey: "bloodType")
  }

  /// Whether the class archives safely, which it does.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object holds the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKBloodTypeObject)?.bloodType == bloodType
  }

  /// A hash of the value.
  open override var hash: Int { bloodType.rawValue.hashValue }
}
