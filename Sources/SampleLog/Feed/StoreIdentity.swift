/// Which store a database is, and which anchors it understands.
struct StoreIdentity: Sendable {
  let storeID: Identifier
  let epoch: UInt32
  let lineage: Lineage

  var origin: Anchor.Origin { Anchor.Origin(storeID: storeID, epoch: epoch) }

  /// Returns an anchor of this store's history as one of its own.
  ///
  /// - Throws: ``StoreError/anchorOfAnotherStore`` for another store's and for that of a copy that
  ///   went its own way; ``StoreError/anchorFromTheFuture(anchor:end:)`` when its reader may have
  ///   seen more than this store and the one that it is from have in common.
  func resolve(_ anchor: Anchor) throws -> Anchor {
    guard let origin = anchor.origin, origin != self.origin else { return anchor }
    guard origin.storeID == storeID, let through = lineage.through(origin.epoch) else {
      throw StoreError.anchorOfAnotherStore
    }
    guard anchor.horizon <= through else {
      throw StoreError.anchorFromTheFuture(anchor: anchor.horizon, end: through)
    }
    return Anchor(
      sequence: anchor.sequence, passStart: anchor.passStart, horizon: anchor.horizon,
      origin: self.origin)
  }
}
