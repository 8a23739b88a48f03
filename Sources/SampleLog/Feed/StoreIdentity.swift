/// The identity of a store, which decides which anchors it accepts.
struct StoreIdentity: Sendable {
  let storeID: Identifier
  let epoch: UInt32
  let lineage: Lineage
  /// Whether the store is a replica, which may be behind the copy that created an anchor.
  var isReplica = false

  var origin: Anchor.Origin { Anchor.Origin(storeID: storeID, epoch: epoch) }

  /// Returns whether a replica that ends before an anchor may reach it later.
  ///
  /// An epoch that the replica does not know may be the next primary's. If the replica has passed
  /// the anchor and still does not know the epoch, the anchor belongs to another copy.
  func mayReach(_ anchor: Anchor) -> Bool {
    guard isReplica else { return false }
    guard let origin = anchor.origin else { return true }
    return origin.storeID == storeID
      && (origin.epoch == epoch || lineage.through(origin.epoch) == nil)
  }

  /// Converts an anchor of this store's history to the current epoch.
  ///
  /// - Throws: ``StoreError/anchorOfAnotherStore`` for the anchor of another store or of a diverged
  ///   copy; ``StoreError/anchorFromTheFuture(anchor:end:)`` if its reader may have seen more than
  ///   this store shares with the store that created the anchor.
  func resolve(_ anchor: Anchor) throws -> Anchor {
    guard let origin = anchor.origin, origin != self.origin else { return anchor }
    guard origin.storeID == storeID, let through = lineage.through(origin.epoch) else {
      throw StoreError.anchorOfAnotherStore
    }
    guard anchor.horizon <= through else {
      throw StoreError.anchorFromTheFuture(anchor: anchor.horizon, end: through)
    }
    return Anchor(
      sequence: anchor.sequence, initialLoadEnd: anchor.initialLoadEnd, horizon: anchor.horizon,
      origin: self.origin)
  }
}
