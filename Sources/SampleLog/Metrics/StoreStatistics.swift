/// Statistics about a store.
public struct StoreStatistics: Hashable, Sendable {
  /// Statistics about one series.
  public struct Series: Hashable, Sendable {
    /// The name of the subject.
    public var subject: String
    /// The name of the type.
    public var type: String
    /// The number of rows, including deleted samples that have not been removed yet.
    public var rows: Int
  }

  /// Statistics about one segment file.
  public struct Segment: Hashable, Sendable {
    /// The name of the file.
    public var name: String
    /// The length of the file, in bytes.
    public var byteCount: Int
    /// The number of rows, including deleted samples, and deletions.
    public var rowCount: Int
    /// The number of rows of deleted samples.
    public var deletedRowCount: Int
    /// The number of deletions that compaction would discard now: they are past the retention, and
    /// no durable subscription needs them.
    public var forgettableRowCount: Int
    /// The estimated number of bytes by which compaction would shorten the file; see
    /// ``StoreStatistics/reclaimableByteCount``.
    public var reclaimableByteCount: Int
  }

  /// The number of live samples.
  public var sampleCount = 0
  /// The number of retained deletions, including those of erased subjects until compaction.
  public var deletionCount = 0
  /// The number of rows of deleted samples that compaction would remove.
  public var deletedRowCount = 0
  /// The number of rows in the active log and in logs that wait to be sealed.
  public var unsealedRowCount = 0
  /// The number of segment files.
  public var segmentCount = 0
  /// Statistics by segment, oldest first.
  public var segments: [Segment] = []
  /// The number of log files.
  public var logCount = 0
  /// The total length of all files, in bytes.
  public var byteCount = 0
  /// The total length of the log files, in bytes, including preallocated zeros.
  public var logByteCount = 0
  /// The retention floor: anchors below it have expired.
  public var floor: UInt64 = 0
  /// The newest sequence number.
  public var end: UInt64 = 0
  /// Statistics by series.
  public var series: [Series] = []
  /// The error of the last background sealing or merge, or nil if it succeeded.
  ///
  /// The work is retried, and the logs retain the data until then.
  public var backgroundFailure: String?

  /// The length of all files divided by the number of live samples, or nil if there are none.
  public var bytesPerSample: Double? {
    sampleCount == 0 ? nil : Double(byteCount) / Double(sampleCount)
  }

  /// The estimated number of bytes that compaction of the current segments would free.
  ///
  /// For each block, the estimate is the block's length times the fraction of its rows that are
  /// deleted samples or discardable deletions, plus the same fraction of its share of the directory
  /// and indexes. It is accurate to about 1 % if contiguous ranges or whole types are deleted. If
  /// individual rows are deleted, the estimate is too high, because the remaining rows compress
  /// less well: by about a seventh if one row in ten is deleted at random. It excludes the savings
  /// of sealing logs and merging files, and rows that are still in logs.
  public var reclaimableByteCount: Int { segments.reduce(0) { $0 + $1.reclaimableByteCount } }
}
