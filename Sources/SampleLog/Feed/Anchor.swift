/// A resume point in a store's change feed: every change up to the anchor has been read.
///
/// Anchors are values. Keep one, or archive its ``encoded`` bytes, and resume from it later, in
/// this process or another. ``ChangePage/anchor`` returns the next anchor, and a ``Subscription``
/// stores one in the database. An anchor belongs to one store; the series and filters may change
/// from one read to the next.
public struct Anchor: Hashable, Sendable {
  /// The store that an anchor came from, and its epoch at the time.
  public struct Origin: Hashable, Sendable {
    /// The store's identity.
    public var storeID: Identifier
    /// The store's epoch, which changes when the store is restored, repaired or promoted.
    public var epoch: UInt32

    /// Creates an origin.
    public init(storeID: Identifier, epoch: UInt32) {
      self.storeID = storeID
      self.epoch = epoch
    }
  }

  /// The beginning of any store.
  public static let beginning = Anchor()

  /// The store that created the anchor, or nil for an anchor that any store accepts.
  public let origin: Origin?
  /// The sequence number of the last change read; later changes have greater numbers.
  public let sequence: UInt64
  /// The end of the store when the initial load began, or 0 if the initial load is complete.
  ///
  /// A reader that started at 0 holds no older samples, so deletions that were forgotten before the
  /// load began do not make the anchor expire.
  package let initialLoadEnd: UInt64
  /// The end of the newest snapshot read so far; at least ``sequence``.
  ///
  /// A page that was cut at its limit omits samples that its snapshot knew to be deleted later.
  /// Only a store that has every change up to the horizon has those deletions.
  package let horizon: UInt64

  /// Creates an anchor.
  ///
  /// - Parameters:
  ///   - sequence: The sequence number to read after, or 0 for the beginning.
  ///   - initialLoadEnd: The end of the store when the initial load began; a value not above
  ///     `sequence` is treated as 0.
  ///   - horizon: The end of the newest snapshot read; raised to the greatest of the three numbers.
  ///   - origin: The store that the numbers belong to.
  package init(
    sequence: UInt64 = 0, initialLoadEnd: UInt64 = 0, horizon: UInt64 = 0, origin: Origin? = nil
  ) {
    self.origin = origin
    self.sequence = sequence
    self.initialLoadEnd = initialLoadEnd > sequence ? initialLoadEnd : 0
    self.horizon = max(horizon, sequence, initialLoadEnd)
  }
}

extension Anchor: CustomStringConvertible {
  /// The sequence number.
  public var description: String { "\(sequence)" }
}

extension Database {
  /// The anchor at the end of the store; later commits follow it.
  public var anchor: Anchor { anchor(at: end) }

  /// Returns this store's anchor at a sequence number.
  public func anchor(at sequence: UInt64) -> Anchor {
    Anchor(sequence: sequence, origin: identity.origin)
  }
}
