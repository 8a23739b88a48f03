extension Database {
  /// Deletes the samples that have expired according to rules.
  ///
  /// These are ordinary deletions: they appear in the change feed and are retained and durable like
  /// any other. As with any deletion, the members of a deleted correlation remain, and a
  /// correlation remains if its members are deleted. Samples are deleted in atomic commits of at
  /// most 10,000, so that other commits can proceed in between. An interrupted expiry is continued
  /// by calling this method again. Samples that are committed during the call are left to the next
  /// one.
  ///
  /// Deletions free no space and take some; ``compact(progress:isCancelled:)`` reclaims it.
  ///
  /// - Parameters:
  ///   - rules: The rules; the first that names a sample's subject and type applies.
  ///   - progress: Called after each commit with the number of samples deleted so far.
  ///   - isCancelled: Called before each commit; if it returns true, the expiry stops and its
  ///     commits persist.
  /// - Returns: The result, once the deletions have the database's default durability.
  /// - Throws: ``StoreError/invalid(_:)`` for a cutoff that is not a time, ``StoreError/readOnly``,
  ///   ``StoreError/cancelled`` if `isCancelled` returned true, and the errors of
  ///   ``commit(_:durability:)``. Commits made before the error persist.
  /// - Complexity: Time linear in the rows of the blocks that hold expired samples, which are read
  ///   about once; memory for one commit and one block.
  @discardableResult
  public func expire(
    _ rules: [ExpiryRule], progress: (Int) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> ExpiryResult {
    try checkWritable()
    let snapshot = snapshot()
    var search = DeletionSearch(try snapshot.expiring(rules), in: snapshot)
    var result = ExpiryResult()
    result.commitCount = try delete(
      &search, atMost: min(options.expiryBatchCount, options.batchRecordLimit),
      extrasBytes: Self.expiryExtrasBytes, progress: progress, isCancelled: isCancelled)
    result.series = search.series(symbols)
    return result
  }

  /// The size of the deleted samples' extras, in bytes, at which a commit of an expiry ends.
  private static let expiryExtrasBytes = 32 << 20
}
