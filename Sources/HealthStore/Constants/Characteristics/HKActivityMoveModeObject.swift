public import Foundation

/// Holds what the ring for movement counts, as the store returns it.
open class HKActivityMoveModeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// What the ring for movement counts.
  public let activityMoveMode: HKActivityMoveMode

  package init(activityMoveMode: HKActivityMoveMode) {
    self.activityMoveMode = activityMoveMode
    super.init()
  }

  /// Reads the value from an archive; nil when it holds none that is known.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "activityMoveMode"),
      let value = HKActivityMoveMode(rawValue: coder.decodeInteger(forKey: "activityMoveMode"))
    else { return nil }
    activityMoveMode = value
    super.init()
  }

  /// Writes the value to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(activityMoveMode.rawValue, forKey: "activityMoveMode")
  }

  /// Whether the class archives safely, which it does.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the other object holds the same value.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKActivityMoveModeObject)?.activityMoveMode == activityMoveMode
  }

  /// A hash of the value.
  open override var hash: Int { activityMoveMode.rawValue.hashValue }
}
