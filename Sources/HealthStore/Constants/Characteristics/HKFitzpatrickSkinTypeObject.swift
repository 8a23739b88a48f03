public import Foundation

/// Holds the user's skin type on the Fitzpatrick scale, as the store returns it.
open class HKFitzpatrickSkinTypeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The user's skin type on the Fitzpatrick scale, by its reaction to the sun.
  public let skinType: HKFitzpatrickSkinType

  package init(skinType: HKFitzpatrickSkinType) {
    self.skinType = skinType
    super.init()
  }

  /// Reads the value from an archive; nil when it holds none that is known.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "skinType"),
      let value = HKFitzpatrickSkinType(rawValue: coder.decodeInteger(forKey: "skinType"))
    else { return nil }
    skinType = value
    super.init()
  }

  /// Writes the value to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(skinType.rawValue, forKey: "skinType")
  }

  /// Whether the class archives safely, which it does.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object holds the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKFitzpatrickSkinTypeObject)?.skinType == skinType
  }

  /// A hash of the value.
  open override var hash: Int { skinType.rawValue.hashValue }
}
