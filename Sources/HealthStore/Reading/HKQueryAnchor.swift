public import Foundation
package import SampleLog

/// A resume position in a store's change feed: all changes up to it have been read.
///
/// Archive it to resume later, in this process or another. An anchor belongs to one store; types
/// and predicates may differ between queries. A query fails with `errorInvalidArgument` if the
/// anchor belongs to another store, is ahead of the store (for example after restoring a backup),
/// or has expired because later deletions have been truncated from the history.
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

  /// Creates an anchor from a number of early HealthKit versions; 0 is the beginning.
  ///
  /// Any other value is used as a sequence number of the store that is queried.
  public convenience init(fromValue value: Int) {
    self.init(Anchor(sequence: UInt64(exactly: value) ?? .max))
  }

  private static let key = "anchor"

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived anchor.
  ///
  /// Returns nil if the archive has a later version or is not an anchor.
  public required init?(coder: NSCoder) {
    guard
      let data = coder.decodeObject(of: NSData.self, forKey: Self.key),
      let anchor = Anchor(encoded: [UInt8](Data(referencing: data)))
    else { return nil }
    self.anchor = anchor
    super.init()
  }

  /// Encodes the anchor.
  ///
  /// The encoding is a single byte field with a version number and a checksum. It is independent of
  /// process and platform.
  open func encode(with coder: NSCoder) {
    coder.encode(Data(anchor.encoded) as NSData, forKey: Self.key)
  }

  /// Returns the same object, because anchors are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both are the same position in the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKQueryAnchor)?.anchor == anchor
  }

  /// A hash of the position.
  open override var hash: Int { anchor.hashValue }

  /// The class name and the position.
  open override var description: String { "HKQueryAnchor \(anchor)" }
}
