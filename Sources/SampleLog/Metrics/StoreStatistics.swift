/// Figures about a store.
public struct StoreStatistics: Hashable, Sendable {
  /// Figures about one subject's samples of one type.
  public struct Series: Hashable, Sendable {
    /// Whose data it is.
    public var subject: String
    /// What kind of data it is.
    public var type: String
    /// Rows, those of deleted samples not yet dropped included.
    public var rows: Int
  }

  /// Figures about one segment file.
  public struct Segment: Hashable, Sendable {
    /// The file's name.
    public var name: String
    /// Bytes of the file.
    public var byteCount: Int
    /// Rows of samples and of deletions, those to be dropped included.
    public var rowCount: Int
    /// Rows of deleted samples.
    public var deadRowCount: Int
    /// Rows of deletions that compaction would forget by now: they are older than the retention,
    /// and no durable subscription needs them.
    public var forgettableRowCount: Int
    /// About how many bytes shorter compaction would leave the file; see
    /// ``StoreStatistics/reclaimableByteCount``.
    public var reclaimableByteCount: Int
  }

  /// Live samples.
  public var sampleCount = 0
  /// Deletions that are still remembered, and those of erased subjects until compaction drops them.
  public var deletionCount = 0
  /// Rows of deleted samples that compaction would drop.
  public var deadRowCount = 0
  /// Rows in the active log and in logs that wait to be sealed.
  public var unsealedRowCount = 0
  /// Segment files.
  public var segmentCount = 0
  /// Figures by segment, oldest first.
  public var segments: [Segment] = []
  /// Log files.
  public var logCount = 0
  /// Bytes of all files.
  public var byteCount = 0
  /// Bytes of the log files, space that is zeros for now included.
  public var logByteCount = 0
  /// Anchors below this have expired.
  public var floor: UInt64 = 0
  /// The newest sequence number.
  public var end: UInt64 = 0
  /// Figures by subject and type.
  public var series: [Series] = []
  /// Why sealing or merging in the background failed when it was tried last; nil when it did not.
  ///
  /// What failed is tried again, and the logs keep the data until then.
  public var backgroundFailure: String?

  /// Bytes of all files over live samples; nil when there is none.
  public var bytesPerSample: Double? {
    sampleCount == 0 ? nil : Double(byteCount) / Double(sampleCount)
  }

  /// About how many bytes compaction would give back of the segments, as they are now.
  ///
  /// An estimate: of each block that part of its bytes which its dead rows and forgettable
  /// deletions are of its rows, with the same part of what directory and indexes say about them. It
  /// is good to about a hundredth where whole stretches or types go. Where rows go from between
  /// others it is too high, because those that stay are compressed less well for the gaps: by about
  /// a seventh when one row in ten goes at random. What sealing logs and merging files saves is not
  /// counted, nor are deleted rows and old deletions that are still in logs.
  public var reclaimableByteCount: Int { segments.reduce(0) { $0 + $1.reclaimableByteCount } }
}
