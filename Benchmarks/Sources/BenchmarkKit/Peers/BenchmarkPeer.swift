import Foundation

/// A store that the benchmark can measure.
///
/// Every row read is converted to a ``BenchmarkRow`` with its metadata text and added to the
/// digest, so a skipped field changes the checksum. Times are milliseconds since 1970, and ranges
/// are half-open. Calls come from one thread at a time, except for ``ingest(_:)`` and those of a
/// tailing reader.
package protocol BenchmarkPeer: ChangeReading {
  /// Flushes and releases the directory.
  func close() throws

  // MARK: Writing

  /// Saves the samples as one commit that is durable when the call returns.
  ///
  /// The store must assign the samples' own sequence numbers, unless several threads save. It must
  /// refuse an identifier that it already holds if ``PeerKind/refusesKnownIdentifiers``.
  func ingest(_ samples: ArraySlice<StreamSample>) throws

  /// Prepares for commits that need not be durable individually.
  func beginBulk() throws

  /// Saves the samples as one commit that becomes durable with ``endBulk()`` at the latest.
  func ingestBulk(_ samples: ArraySlice<StreamSample>) throws

  /// Makes everything durable and restores the usual settings.
  func endBulk() throws

  /// Waits until no background work is left.
  func quiesce() throws

  /// Deletes samples as one durable commit. The deletions take consecutive sequence numbers from
  /// `firstSequence`.
  func delete(_ identifiers: ArraySlice<StreamIdentifier>, firstSequence: UInt64) throws

  /// Compacts the files as far as the store can.
  func compact() throws

  // MARK: Reading

  /// All rows of a series whose start is in the range, sorted by start.
  func rows(of series: StreamSeries, in range: Range<Int64>, into digest: inout Digest) throws

  /// The rows of a series whose start is in the range and whose value is greater than `value`.
  func rows(
    of series: StreamSeries, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws

  /// The row of a series with the latest start.
  func newest(of series: StreamSeries, into digest: inout Digest) throws

  /// The row with an identifier, if it exists.
  func row(_ identifier: StreamIdentifier, into digest: inout Digest) throws

  /// Count, sum, minimum and maximum of every UTC day with rows that start in the range, in
  /// ascending order. The range consists of whole days.
  func days(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAggregate]

  /// Average, minimum and maximum of every such day. Our store computes them by HealthKit's rules.
  func averages(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAverage]

  /// The number of samples that the benchmark looks up by identifier.
  var lookUpCount: Int { get }

  /// Returns a reader for changes on a thread of its own during writes.
  func tailingReader() throws -> any TailingReader
}

extension BenchmarkPeer {
  package var lookUpCount: Int { 20_000 }

  package func averages(
    of series: StreamSeries, in range: Range<Int64>
  ) throws -> [DailyAverage] {
    try days(of: series, in: range).map { DailyAverage($0) }
  }
}

/// Reads changes.
package protocol ChangeReading: AnyObject {
  /// Reads at most `limit` changes after a sequence number in ascending order: live rows and
  /// deletions.
  ///
  /// - Returns: The sequence number of the last change, or `sequence` if there is none.
  func changes(
    after sequence: UInt64, of type: StreamType?, limit: Int, into digest: inout Digest
  ) throws -> UInt64
}

/// Reads changes as they are committed.
package protocol TailingReader: ChangeReading {
  /// Waits until there may be changes. Returns at once if the store does not notify.
  func wait()
  /// Wakes the waiting thread.
  func wake()
}

extension TailingReader {
  func wait() { sched_yield() }
  func wake() {}
}
