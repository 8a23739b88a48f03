/// A resume point in a store's change feed: everything up to it has been read.
///
/// Anchors are values: keep one, archive its ``encoded`` bytes, and read on from it later, in this
/// process or another. ``ChangePage/anchor`` gives the next one, and a ``Subscription`` keeps one
/// in the store. An anchor belongs to one store; the series and filters may differ from one read to
/// the next.
public struct Anchor: Hashable, Sendable {
  /// The store that an anchor came from, and its epoch at the time.
  public struct Origin: Hashable, Sendable {
    /// The store's identity.
    public var storeID: Identifier
    /// The store's epoch, which restoring and repairing change.
    public var epoch: UInt32

    /// Creates an origin.
    public init(storeID: Identifier, epoch: UInt32) {
      self.storeID = storeID
      self.epoch = epoch
    }
  }

  /// The beginning of any store.
  public static let beginning = Anchor()

  /// Where the anchor comes from; nil for one that is believed wherever it is used.
  public let origin: Origin?
  /// The sequence number of the last change read; the next one is greater.
  public let sequence: UInt64
  /// Where the store ended when the first pass began that the anchor is in the middle of; 0 when
  /// that pass is over.
  ///
  /// Whoever began at 0 holds nothing from before, so deletions that had been forgotten then do not
  /// make the anchor expire.
  package let passStart: UInt64
  /// The end of the newest snapshot that was read so far, at least ``sequence``.
  ///
  /// A page that a limit cut leaves out samples that its snapshot knew to be deleted later. Only a
  /// store that has everything up to here has those deletions.
  package let horizon: UInt64

  /// Creates an anchor.
  ///
  /// - Parameters:
  ///   - sequence: The sequence number to read after; 0 for the beginning.
  ///   - passStart: Where the first pass began; what is not above `sequence` counts as 0.
  ///   - horizon: The end of the newest snapshot read; what is less than the others counts as the
  ///     greatest of them.
  ///   - origin: The store that the numbers are of.
  package init(
    sequence: UInt64 = 0, passStart: UInt64 = 0, horizon: UInt64 = 0, origin: Origin? = nil
  ) {
    self.origin = origin
    self.sequence = sequence
    self.passStart = passStart > sequence ? passStart : 0
    self.horizon = max(horizon, sequence, passStart)
  }
}

extension Anchor: CustomStringConvertible {
  /// The sequence number.
  public var description: String { "\(sequence)" }
}

extension Database {
  /// The anchor at the end: what is committed later follows it.
  public var anchor: Anchor { anchor(at: end) }

  /// Returns the anchor of this store at a sequence number.
  public func anchor(at sequence: UInt64) -> Anchor {
    Anchor(sequence: sequence, origin: identity.origin)
  }
}
