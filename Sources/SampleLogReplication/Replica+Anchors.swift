public import SampleLog

extension Replica {
  /// Returns whether the replica has everything that the holder of an anchor may have seen.
  ///
  /// An anchor of an epoch that the replica does not know yet counts as ahead of the replica,
  /// because it may be from the next primary.
  ///
  /// - Throws: `StoreError.anchorOfAnotherStore`, `StoreError.anchorExpired`, and
  ///   `StoreError.anchorFromTheFuture` if the anchor refers to commits that were lost with an
  ///   earlier primary.
  public func has(_ anchor: Anchor) throws -> Bool {
    let snapshot = database.snapshot()
    if let origin = anchor.origin, origin.storeID != database.storeID {
      throw StoreError.anchorOfAnotherStore
    }
    do {
      _ = try snapshot.check(anchor)
      return true
    } catch StoreError.notHereYet {
      return false
    } catch StoreError.anchorOfAnotherStore {
      return false
    }
  }

  /// Reads the stream until the replica has everything that the holder of an anchor may have seen.
  ///
  /// This lets a client read its own writes.
  ///
  /// - Parameters:
  ///   - anchor: An anchor of the primary or of another replica.
  ///   - steps: The maximum number of reads, each of which takes as long as the stream's own
  ///     delays.
  /// - Throws: ``ReplicationError/notHereYet(anchor:end:)`` if the reads did not suffice, and the
  ///   errors of ``has(_:)`` and ``step()``.
  public func wait(for anchor: Anchor, atMost steps: Int) throws {
    for _ in 0..<steps {
      if try has(anchor) { return }
      _ = try step()
    }
    if try has(anchor) { return }
    throw ReplicationError.notHereYet(anchor: anchor.horizon, end: database.end)
  }
}
