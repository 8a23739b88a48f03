/// The point at which a commit is acknowledged.
public enum Durability: Hashable, Sendable {
  /// After the data is on stable storage: survives a crash of the process and a power failure.
  case durable
  /// After the data was handed to the operating system: survives a crash of the process, but not a
  /// power failure until ``Database/flush()`` returns.
  case buffered
}

extension Database {
  /// Options for opening a database.
  public struct Options: Sendable {
    /// The point at which commits are acknowledged; default: durable.
    public var durability = Durability.durable
    /// The number of rows at which the active log is sealed into a segment.
    ///
    /// Values below 1 are treated as 1. Unsealed rows take about 120 bytes of memory each. Default:
    /// 524,288.
    public var sealRowCount = 524_288
    /// The size at which the active log is sealed, in bytes; default: 256 MiB.
    public var sealByteCount = 256 << 20
    /// The capacity of the cache of decoded blocks, in bytes; default: 64 MiB.
    ///
    /// Reading a feed whose consecutive rows are in many blocks takes the same amount again.
    public var blockCacheByteCount = 64 << 20
    /// The capacity of the commit order cache for paged feeds, in bytes; default: 64 MiB.
    ///
    /// A cached order takes eight bytes for each sample of a segment.
    public var feedOrderByteCount = 64 << 20
    /// The memory budget for identifier indexes, in bytes; default: 256 MiB.
    ///
    /// A segment's index is loaded on the first look-up and takes about 3.8 bytes per sample. If
    /// the budget is exhausted, the index stays in the file, and a look-up costs one more read for
    /// each such segment. Saving a sample costs the same for each such segment that was written
    /// before the store was opened.
    public var identifierIndexByteCount = 256 << 20
    /// The maximum number of rows of a compacted segment; default: 4,194,304.
    public var segmentRowCount = 4 << 20
    /// The retention of deletions; default: 30 days.
    public var deletionRetention = Duration.seconds(30 * 86_400)
    /// The time for which registrations hold undelivered deletions if ``deletionRetention`` is
    /// shorter; default: 30 days.
    package var registrationRetention = Duration.seconds(30 * 86_400)
    /// The quota of each subject, or nil for none.
    ///
    /// A commit that would exceed it is rejected with
    /// ``StoreError/limitExceeded(_:actual:allowed:)``. The first save for a subject after opening
    /// reads the sequence numbers of all its samples.
    public var subjectQuota: SubjectQuota?
    /// Whether to open a damaged store without its damaged parts; see ``Database/damages``.
    public var toleratesDamage = false
    /// Whether to seal full logs and merge segments of one size in the background.
    ///
    /// Otherwise only ``Database/seal()`` and ``Database/compact(progress:isCancelled:)`` do so.
    public var sealsInBackground = true
    /// The options of the layer above, which the engine only stores.
    package var layer: (any LayerOptions)?
    /// Whether to open the store for publication or as a replica.
    ///
    /// Sealed logs are then kept under another name until
    /// ``Database/releaseLogs(through:keeping:startingBy:)`` removes them. A store that was once
    /// opened for publication is marked, and from then on every writer keeps its sealed logs.
    package var keepsSealedLogs = false
    /// The name of the primary, if the store is opened as its replica.
    package var primaryName: String?
    /// A handler for store events such as sealing, damage and low disk space.
    ///
    /// Called serially on its own queue, never under a lock of the store: it may block and use the
    /// store. Events that occur while the store closes may arrive after ``Database/close()``
    /// returns.
    public var onEvent: (@Sendable (StoreEvent) -> Void)? {
      didSet { onEventIdentity = onEvent == nil ? nil : FunctionIdentity() }
    }
    /// The free space below which the disk is reported as low, in bytes; default: 1 GiB.
    ///
    /// Checked when the store is opened, and after each sealing and merge.
    public var lowSpaceByteCount = 1 << 30
    /// The number of zeros written ahead of small commits, in bytes; simulated disks use few.
    package var zeroByteCount = 512 << 10
    /// The clock; returns seconds since 2001-01-01 00:00 UTC.
    public var clock: @Sendable () -> Double = { systemClock() } {
      didSet { clockIdentity = FunctionIdentity() }
    }
    /// The source of unpredictable numbers for identities and salts.
    public var random: @Sendable () -> UInt64 = { secureRandom() } {
      didSet { randomIdentity = FunctionIdentity() }
    }
    // Functions are not comparable, so options with a custom one equal only their own copies.
    private var onEventIdentity: FunctionIdentity?
    private var clockIdentity: FunctionIdentity?
    private var randomIdentity: FunctionIdentity?

    // Tests lower the limits to reach them quickly.
    package var batchRecordLimit = StoreLimit.batchRecords.maximum
    package var batchByteLimit = StoreLimit.batchBytes.maximum
    /// The number of samples that an expiry deletes in one commit.
    package var expiryBatchCount = 10_000
    /// The row limit of a log; a segment must hold a full log plus the largest commit.
    package var logRowCount: Int { min(sealRowCount, Segment.maximumRows / 4) }
    /// The number of rows per block; tests lower it to create many blocks.
    package var blockRowCount = Block.maximumRows

    /// Creates the default options.
    public init() {}

    /// Creates options that limit the memory use of a store.
    ///
    /// Three sixteenths are for logs. One eighth each is for the block cache, for copies of blocks
    /// while a feed of randomly ordered samples is read, for the commit order cache, and for
    /// identifier indexes. The rest is for work in progress. Data written by this process takes
    /// another 1.3 bytes per sample. Earlier sealing causes more background work, and smaller files
    /// until they are merged.
    ///
    /// - Parameter memoryByteCount: The limit, in bytes; values below 32 MiB are treated as 32 MiB.
    public init(memoryByteCount: Int) {
      let memory = max(memoryByteCount, 32 << 20)
      // Up to four logs are in memory: the active one and three that wait to be sealed.
      sealRowCount = min(sealRowCount, memory / 16 * 3 / 4 / Self.bytesPerUnsealedRow)
      blockCacheByteCount = memory / 8
      feedOrderByteCount = memory / 8
      identifierIndexByteCount = memory / 8
    }

    private static let bytesPerUnsealedRow = 120

    /// The options with the row limit clamped to its valid range.
    var bounded: Database.Options {
      var result = self
      result.sealRowCount = min(max(sealRowCount, 1), Segment.maximumRows)
      return result
    }
  }
}

extension Database.Options: Equatable {
  private final class FunctionIdentity: Equatable, Sendable {
    static func == (one: FunctionIdentity, other: FunctionIdentity) -> Bool { one === other }
  }

  /// Returns whether two sets of options configure a database identically.
  ///
  /// Options with a custom ``clock``, ``random`` or ``onEvent`` equal only their own copies.
  public static func == (one: Self, other: Self) -> Bool { one.differences(from: other).isEmpty }

  /// Returns the names of the options that two have set to different values.
  package func differences(from other: Self) -> [String] {
    var names: [String] = []
    func compare<Value: Equatable>(_ name: String, _ value: (Self) -> Value) {
      if value(self) != value(other) { names.append(name) }
    }
    compare("durability") { $0.durability }
    compare("sealRowCount") { $0.sealRowCount }
    compare("sealByteCount") { $0.sealByteCount }
    compare("blockCacheByteCount") { $0.blockCacheByteCount }
    compare("feedOrderByteCount") { $0.feedOrderByteCount }
    compare("identifierIndexByteCount") { $0.identifierIndexByteCount }
    compare("segmentRowCount") { $0.segmentRowCount }
    compare("deletionRetention") { $0.deletionRetention }
    compare("registrationRetention") { $0.registrationRetention }
    compare("subjectQuota") { $0.subjectQuota }
    compare("toleratesDamage") { $0.toleratesDamage }
    compare("sealsInBackground") { $0.sealsInBackground }
    compare("keepsSealedLogs") { $0.keepsSealedLogs }
    compare("primaryName") { $0.primaryName }
    compare("onEvent") { $0.onEventIdentity }
    compare("lowSpaceByteCount") { $0.lowSpaceByteCount }
    compare("zeroByteCount") { $0.zeroByteCount }
    compare("clock") { $0.clockIdentity }
    compare("random") { $0.randomIdentity }
    compare("batchRecordLimit") { $0.batchRecordLimit }
    compare("batchByteLimit") { $0.batchByteLimit }
    compare("expiryBatchCount") { $0.expiryBatchCount }
    compare("blockRowCount") { $0.blockRowCount }
    let (mine, theirs) = (layer, other.layer)
    return names
      + (mine?.differences(fromLayer: theirs) ?? theirs?.differences(fromLayer: nil) ?? [])
  }
}

/// The options of a layer above, which a database stores on its behalf.
package protocol LayerOptions: Hashable, Sendable {
  /// Creates the default options.
  init()

  /// Returns the names of the options that two have set to different values.
  func differences(from other: Self) -> [String]
}

extension LayerOptions {
  /// Returns the names of the options that differ from another layer's; nil counts as the defaults.
  fileprivate func differences(fromLayer other: (any LayerOptions)?) -> [String] {
    guard let other = (other ?? Self()) as? Self else { return ["layer"] }
    return differences(from: other)
  }
}

/// The access mode of a database.
public enum OpenMode: Hashable, Sendable {
  /// Reads and writes; creates the store if it does not exist. Only one handle can have this mode.
  case readWrite
  /// Reads only, also concurrently with a writer in another process.
  case readOnly
}
