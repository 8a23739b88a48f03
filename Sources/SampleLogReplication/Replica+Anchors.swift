public import SampleLog

extension Replica {
  /// Whether the replica has everything that the reader of an anchor may have seen.
  ///
  /// An anchor of an epoch that the replica does not know yet counts as one that is ahead of it:
  /// it may be the next primary's.
  ///
  /// - Throws: `StoreError.anchorOfAnotherStore`, `StoreError.anchorExpired`,
  ///   and `StoreError.anchorFromTheFuture` for one into commits that were lost with
  ///   an earlier primary.
  public func has(_ anchor: Anchor) throws -> Bool {
    let snapshot = database.snapshot()
    if let origin = anchor.origin, origin.storeID != database.storeID {
      throw StoreError.anchorOfAnotherStore
    }
    do {
      _ = try snapshot.check(anchor)
      return true
    } catch StoreError.anchorFromTheFuture(_, let end) where end == snapshot.end {
      return false
    } catch StoreError.anchorOfAnotherStore {
      return false
    }
  }

  /// Reads on until the replica has everything that the reader of an anchor may have seen, which
  /// lets a client read what it has just saved elsewhere.
  ///
  /// - Parameters:
  ///   - anchor: An anchor of the primary or of another replica.
  ///   - steps: How often to read at most; the stream's own delays bound each.
  /// - Throws: ``ReplicationError/notHereYet(anchor:end:)`` when that did not suffice, and what
  ///   ``has(_:)`` and ``step()`` throw.
  public func wait(for anchor: Anchor, atMost steps: Int) throws {
    for _ in 0..<steps {
      if try has(anchor) { return }
      _ = try step()
    }
    if try has(anchor) { return }
    throw ReplicationError.notHereYet(anchor: anchor.horizon, end: database.end)
  }
}
