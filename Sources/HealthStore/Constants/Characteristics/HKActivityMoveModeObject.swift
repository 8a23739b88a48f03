public import Foundation

/// A box for the user's move mode, as returned by the store.
open class HKActivityMoveModeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The quantity that the Move ring measures.
  public let activityMoveMode: HKActivityMoveMode

  package init(activityMoveMode: HKActivityMoveMode) {
    self.activityMoveMode = activityMoveMode
    super.init()
  }

  /// Decodes the value, or returns nil if the archive has no known value.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "activityMoveMode"),
      let value = HKActivityMoveMode(rawValue: coder.decodeInteger(forKey: "activityMoveMode"))
    else { return nil }
    activityMoveMode = value
    super.init()
  }

  /// Encodes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(activityMoveMode.rawValue, forKey: "activityMoveMode")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether the other object has the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKActivityMoveModeObject)?.activityMoveMode == activityMoveMode
  }

  /// A hash of the value.
  open override var hash: Int { activityMoveMode.rawValue.hashValue }
}
