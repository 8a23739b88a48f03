/// The identity of a store, which decides which anchors it accepts.
struct StoreIdentity: Sendable {
  let storeID: Identifier
  let epoch: UInt32
  let lineage: Lineage

  var origin: Anchor.Origin { Anchor.Origin(storeID: storeID, epoch: epoch) }

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
