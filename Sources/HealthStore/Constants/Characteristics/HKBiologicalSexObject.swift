public import Foundation

/// A box for the user's biological sex, as returned by the store.
open class HKBiologicalSexObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The user's biological sex.
  public let biologicalSex: HKBiologicalSex

  package init(biologicalSex: HKBiologicalSex) {
    self.biologicalSex = biologicalSex
    super.init()
  }

  /// Decodes the value, or returns nil if the archive has no known value.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "biologicalSex"),
      let value = HKBiologicalSex(rawValue: coder.decodeInteger(forKey: "biologicalSex"))
    else { return nil }
    biologicalSex = value
    super.init()
  }

  /// Encodes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(biologicalSex.rawValue, forKey: "biologicalSex")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether the other object has the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKBiologicalSexObject)?.biologicalSex == biologicalSex
  }

  /// A hash of the value.
  open override var hash: Int { biologicalSex.rawValue.hashValue }
}
