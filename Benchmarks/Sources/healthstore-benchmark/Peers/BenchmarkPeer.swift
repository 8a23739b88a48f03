/// A store that answers the benchmark's questions.
///
/// Every row read is turned into a ``BenchmarkRow``, metadata text and all, and added to the
/// digest; skipping a field would show in the checksum. Times are milliseconds since 1970,
/// ranges are half open. Calls come from one thread at a time.
protocol BenchmarkPeer: AnyObject {
  /// Flushes and lets go of the directory.
  func close() throws

  // MARK: Writing

  /// Saves the samples as one commit that is durable when the call returns.
  ///
  /// The store must give them the sequence numbers they carry.
  func ingest(_ samples: ArraySlice<StreamSample>) throws

  /// Prepares for commits that need not be durable one by one.
  func beginBulk() throws

  /// Saves the samples as one commit that becomes durable with ``endBulk()`` at the latest.
  func ingestBulk(_ samples: ArraySlice<StreamSample>) throws

  /// Makes everything durable and returns to the usual settings.
  func endBulk() throws

  /// Waits until no background work is left.
  func settle() throws

  /// Deletes samples as one durable commit; the deletions take the sequence numbers from
  /// `firstSequence` on, in order.
  func delete(_ identifiers: ArraySlice<StreamIdentifier>, firstSequence: UInt64) throws

  /// Makes the files as small as the store can.
  func compact() throws

  // MARK: Reading

  /// All rows of a type whose start is in the range, sorted by start.
  func rows(of type: StreamType, in range: Range<Int64>, into digest: inout Digest) throws

  /// The rows among them whose value is greater than `value`.
  func rows(
    of type: StreamType, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws

  /// The row of a type with the latest start.
  func newest(of type: StreamType, into digest: inout Digest) throws

  /// The row with an identifier, if there is one.
  func row(_ identifier: StreamIdentifier, into digest: inout Digest) throws

  /// At most `limit` changes after a sequence number, ascending: rows that still exist, and
  /// deletions.
  ///
  /// - Returns: the sequence number of the last change, or `sequence` when there is none.
  func changes(
    after sequence: UInt64, of type: StreamType?, limit: Int, into digest: inout Digest
  ) throws -> UInt64

  /// Count, sum, minimum and maximum of every UTC day that has rows, ascending.
  func days(of type: StreamType) throws -> [DailyAggregate]
}
