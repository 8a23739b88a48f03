public import Foundation

/// A box for the user's Fitzpatrick skin type, as returned by the store.
open class HKFitzpatrickSkinTypeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The user's skin type on the Fitzpatrick scale, by its reaction to the sun.
  public let skinType: HKFitzpatrickSkinType

  package init(skinType: HKFitzpatrickSkinType) {
    self.skinType = skinType
    super.init()
  }

  /// Decodes the value, or returns nil if the archive has no known value.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "skinType"),
      let value = HKFitzpatrickSkinType(rawValue: coder.decodeInteger(forKey: "skinType"))
    else { return nil }
    skinType = value
    super.init()
  }

  /// Encodes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(skinType.rawValue, forKey: "skinType")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether the other object has the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKFitzpatrickSkinTypeObject)?.skinType == skinType
  }

  /// A hash of the value.
  open override var hash: Int { skinType.rawValue.hashValue }
}
