extension Database {
  /// Deletes the samples that are older than rules allow, as anybody might delete them.
  ///
  /// The deletions are ordinary ones: they are in the change feed, are remembered as long as others
  /// and survive what others survive. A correlation's members stay when it goes, and it stays when
  /// they go, as with any deletion. Samples are deleted in commits of 10,000 at most, so that
  /// others save in between, and each commit is in the feed whole or not at all. Work that was cut
  /// short is done by calling again. Samples that are saved meanwhile are left for the next time.
  ///
  /// Deleting gives no space back, it takes some; ``compact(progress:isCancelled:)`` does.
  ///
  /// - Parameters:
  ///   - rules: What expires; the first rule that names a sample's subject and type decides.
  ///   - progress: Called after each commit with the number of samples deleted so far.
  ///   - isCancelled: Asked before each commit; true ends the work and leaves what is done.
  /// - Returns: What was deleted, once that is as durable as the database's commits are.
  /// - Throws: ``StoreError/invalid(_:)`` for a cut-off that is no time, ``StoreError/readOnly``,
  ///   ``StoreError/cancelled`` when asked to stop, and what ``commit(_:durability:)`` throws; the
  ///   commits made until then stay.
  /// - Complexity: Time linear in the rows of the blocks that hold such samples, which are read
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

  /// A commit of an expiry ends when its samples' extras have this many bytes, whatever their
  /// number.
  private static let expiryExtrasBytes = 32 << 20
}
