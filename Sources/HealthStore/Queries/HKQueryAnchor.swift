public import Foundation
package import SampleLog

/// A resume point in a store's change feed: everything up to it has been read.
///
/// Archive it to read on later, in this process or another. It belongs to one store; the types and
/// predicates may differ from query to query. A query fails with `errorInvalidArgument` when the
/// anchor belongs to another store, when its reader has seen more than the store has, as after
/// restoring a backup, or when it has expired because deletions since then have been forgotten.
///
/// ```swift
/// let data = try NSKeyedArchiver.archivedData(
///   withRootObject: anchor, requiringSecureCoding: true)
/// let same = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
/// ```
open class HKQueryAnchor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  package let anchor: Anchor

  init(_ anchor: Anchor) {
    self.anchor = anchor
    super.init()
  }

  /// Makes the anchor that a number stood for in old versions of HealthKit: 0 for the beginning.
  ///
  /// Any other value is taken for a sequence number of whatever store it is used with.
  public convenience init(fromValue value: Int) {
    self.init(Anchor(sequence: UInt64(exactly: value) ?? .max))
  }

  private static let key = "anchor"

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived anchor.
  ///
  /// Returns `nil` when the archive is of a later version or is not an anchor's.
  public required init?(coder: NSCoder) {
    guard
      let data = coder.decodeObject(of: NSData.self, forKey: Self.key),
      let anchor = Anchor(encoded: [UInt8](Data(referencing: data)))
    else { return nil }
    self.anchor = anchor
    super.init()
  }

  /// Archives the anchor.
  ///
  /// It is one field of bytes, which hold a version number and a checksum and are independent of
  /// process and platform.
  open func encode(with coder: NSCoder) {
    coder.encode(Data(anchor.encoded) as NSData, forKey: Self.key)
  }

  /// Returns the anchor itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are the same resume point of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKQueryAnchor)?.anchor == anchor
  }

  /// A hash of the resume point.
  open override var hash: Int { anchor.hashValue }

  /// The sequence number.
  open override var description: String { "HKQueryAnchor \(anchor)" }
}
