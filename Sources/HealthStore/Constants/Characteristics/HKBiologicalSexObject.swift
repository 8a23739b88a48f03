public import Foundation

/// Holds the user's biological sex, as the store returns it.
open class HKBiologicalSexObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The user's biological sex.
  public let biologicalSex: HKBiologicalSex

  package init(biologicalSex: HKBiologicalSex) {
    self.biologicalSex = biologicalSex
    super.init()
  }

  /// Reads the value from an archive; nil when it holds none that is known.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "biologicalSex"),
      let value = HKBiologicalSex(rawValue: coder.decodeInteger(forKey: "biologicalSex"))
    else { return nil }
    biologicalSex = value
    super.init()
  }

  /// Writes the value to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(biologicalSex.rawValue, forKey: "biologicalSex")
  }

  /// Whether the class archives safely, which it does.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object holds the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKBiologicalSexObject)?.biologicalSex == biologicalSex
  }

  /// A hash of the value.
  open override var hash: Int { biologicalSex.rawValue.hashValue }
}
