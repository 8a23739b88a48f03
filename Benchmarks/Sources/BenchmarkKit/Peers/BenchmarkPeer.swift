import Foundation

/// A store that answers the benchmark's questions.
///
/// Every row read is turned into a ``BenchmarkRow``, metadata text and all, and added to the
/// digest; skipping a field would show in the checksum. Times are milliseconds since 1970,
/// ranges are half open. Calls come from one thread at a time, but for ``ingest(_:)`` and what a
/// follower does.
package protocol BenchmarkPeer: ChangeReading {
  /// Flushes and lets go of the directory.
  func close() throws

  // MARK: Writing

  /// Saves the samples as one commit that is durable when the call returns.
  ///
  /// The store must give them the sequence numbers they carry, unless several threads save, and
  /// must refuse an identifier that it holds already, if ``PeerKind/refusesKnownIdentifiers``.
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

  /// All rows of a series whose start is in the range, sorted by start.
  func rows(of series: StreamSeries, in range: Range<Int64>, into digest: inout Digest) throws

  /// The rows among them whose value is greater than `value`.
  func rows(
    of series: StreamSeries, in range: Range<Int64>, above value: Double, into digest: inout Digest
  ) throws

  /// The row of a series with the latest start.
  func newest(of series: StreamSeries, into digest: inout Digest) throws

  /// The row with an identifier, if there is one.
  func row(_ identifier: StreamIdentifier, into digest: inout Digest) throws

  /// Count, sum, minimum and maximum of every UTC day that has rows which start in the range,
  /// ascending; the range consists of whole days.
  func days(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAggregate]

  /// Average, minimum and maximum of every such day; our store computes them as HealthKit does.
  func averages(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAverage]

  /// How many samples the benchmark asks for by identifier.
  var lookUpCount: Int { get }

  /// Something that reads changes on a thread of its own while others write.
  func follower() throws -> any ChangeFollower
}

extension BenchmarkPeer {
  package var lookUpCount: Int { 20_000 }

  package func averages(
    of series: StreamSeries, in range: Range<Int64>
  ) throws -> [DailyAverage] {
    try days(of: series, in: range).map { DailyAverage($0) }
  }
}

/// Reads what has changed.
package protocol ChangeReading: AnyObject {
  /// At most `limit` changes after a sequence number, ascending: rows that still exist, and
  /// deletions.
  ///
  /// - Returns: the sequence number of the last change, or `sequence` when there is none.
  func changes(
    after sequence: UInt64, of type: StreamType?, limit: Int, into digest: inout Digest
  ) throws -> UInt64
}

/// Reads changes as they come.
package protocol ChangeFollower: ChangeReading {
  /// Waits until there may be something new; a store that does not tell is asked again at once.
  func wait()
  /// Wakes the thread that waits.
  func wake()
}

extension ChangeFollower {
  func wait() { sched_yield() }
  func wake() {}
}
