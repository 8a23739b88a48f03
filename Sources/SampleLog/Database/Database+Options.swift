/// When a commit is acknowledged.
public enum Durability: Hashable, Sendable {
  /// After the data is on stable storage: it survives the end of the process and of power.
  case durable
  /// After the data was handed to the operating system: it survives the end of the process, not
  /// of power, until ``Database/flush()`` returns.
  case buffered
}

extension Database {
  /// How a database is opened.
  public struct Options: Sendable {
    /// When a commit is acknowledged.
    public var durability = Durability.durable
    /// How many rows the active log may hold before it is sealed into a segment; what is below 1
    /// counts as 1.
    ///
    /// Rows that are not sealed take about 120 bytes of memory each.
    public var sealRowCount = 524_288
    /// How large the active log may grow before it is sealed, in bytes.
    public var sealByteCount = 256 << 20
    /// How many decoded blocks to keep, in bytes; as many again while a feed is read in which rows
    /// of many blocks alternate.
    public var blockCacheByteCount = 64 << 20
    /// How much of the order in which samples arrived to keep for feeds that are read page by page,
    /// in bytes: eight for each sample of a segment.
    public var feedOrderByteCount = 64 << 20
    /// How much memory the indexes of identifiers may take, in bytes: 3.8 for each sample, once one
    /// of its segment's samples was looked up.
    ///
    /// Of segments for which there is no room the index stays in the file. A look-up there is one
    /// more read, and so is each sample saved, for each such segment that was written before the
    /// store was opened.
    public var identifierIndexByteCount = 256 << 20
    /// How many rows a compacted segment may have.
    public var segmentRowCount = 4 << 20
    /// The time for which deletions are remembered; 30 days unless set.
    public var deletionRetention = Duration.seconds(30 * 86_400)
    /// The time for which registrations keep deletions that were not delivered, where
    /// ``deletionRetention`` is shorter.
    package var registrationRetention = Duration.seconds(30 * 86_400)
    /// How much each subject may have; anything unless set.
    ///
    /// What would exceed it is refused with ``StoreError/limitExceeded(_:actual:allowed:)``. The
    /// first save of a subject after opening reads the sequence numbers of all its samples.
    public var subjectQuota: SubjectQuota?
    /// Opens a damaged store all the same, without what is damaged; ``Database/damages`` names it.
    public var toleratesDamage = false
    /// Seals full logs and merges segments of one size in the background; otherwise that happens
    /// only when ``Database/seal()`` and ``Database/compact(progress:isCancelled:)`` are called.
    public var sealsInBackground = true
    /// The options of the layer above, which are of no concern to the engine.
    package var layer: (any LayerOptions)?
    /// Whether the store is opened to publish it, or as a replica: sealed logs are kept under
    /// another name until ``Database/releaseLogs(through:keeping:)`` removes them.
    ///
    /// A store that was opened so once is marked, and keeps them for every writer from then on.
    package var keepsSealedLogs = false
    /// The name of the primary, where the store is opened as a replica of it.
    package var primaryName: String?
    /// Called with what happens to the store, such as sealing, damage and a disk that fills up; nil
    /// for nobody.
    ///
    /// Calls come one after the other on a queue of their own, never under a lock of the store:
    /// the closure may take its time and use the store. What happens while the store is closed may
    /// be reported after ``Database/close()`` has returned.
    public var onEvent: (@Sendable (StoreEvent) -> Void)? {
      didSet { onEventIdentity = onEvent == nil ? nil : FunctionIdentity() }
    }
    /// How many bytes available on the disk are few enough to report, in bytes; 1 GiB unless set.
    ///
    /// It is looked at when the store is opened, and after each sealing and merging.
    public var lowSpaceByteCount = 1 << 30
    /// How many zeros are written ahead of small commits; a simulated disk wants few.
    package var zeroByteCount = 512 << 10
    /// The time now, in seconds since 2001-01-01 00:00 UTC.
    public var clock: @Sendable () -> Double = { systemClock() } {
      didSet { clockIdentity = FunctionIdentity() }
    }
    /// A number nobody can guess, for identities and salts.
    public var random: @Sendable () -> UInt64 = { secureRandom() } {
      didSet { randomIdentity = FunctionIdentity() }
    }
    // Functions cannot be compared, so options that had one set are equal to their copies only.
    private var onEventIdentity: FunctionIdentity?
    private var clockIdentity: FunctionIdentity?
    private var randomIdentity: FunctionIdentity?

    // Lower ones let a test come near what nobody wants to wait for.
    package var batchRecordLimit = StoreLimit.batchRecords.maximum
    package var batchByteLimit = StoreLimit.batchBytes.maximum
    /// Samples that one commit of an expiry deletes.
    package var expiryBatchCount = 10_000
    /// Rows of a log that is sealed; a segment must take them, and the largest commit besides.
    package var logRowCount: Int { min(sealRowCount, Segment.maximumRows / 4) }
    /// Rows of a block; fewer make a small store one of many blocks.
    package var blockRowCount = Block.maximumRows

    /// Creates the default options.
    public init() {}

    /// Creates options with which a store stays within an amount of memory.
    ///
    /// Three sixteenths are for logs, an eighth each for blocks, for copies of blocks while a feed
    /// is read that arrived at random, for the order of feeds, and for identifiers; the rest is for
    /// work in progress. What is written by this process takes 1.3 bytes a sample in addition. Logs
    /// that are sealed sooner mean more work in the background, and smaller files until these are
    /// merged.
    ///
    /// - Parameter memoryByteCount: In bytes; what is too little to work with counts as 32 MB.
    public init(memoryByteCount: Int) {
      let memory = max(memoryByteCount, 32 << 20)
      // Up to four logs are in memory: one is written, three may wait.
      sealRowCount = min(sealRowCount, memory / 16 * 3 / 4 / Self.bytesPerUnsealedRow)
      blockCacheByteCount = memory / 8
      feedOrderByteCount = memory / 8
      identifierIndexByteCount = memory / 8
    }

    private static let bytesPerUnsealedRow = 120

    /// The options with sizes that can be reckoned with.
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

  /// Whether a database opened with one cannot be told from a database opened with the other.
  ///
  /// Options whose ``clock``, ``random`` or ``onEvent`` was set are equal to copies of themselves
  /// only.
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

/// The options that a layer above adds to those of a database, which keeps them for it.
package protocol LayerOptions: Hashable, Sendable {
  /// Creates the default options.
  init()

  /// Returns the names of the options that two have set to different values.
  func differences(from other: Self) -> [String]
}

extension LayerOptions {
  /// Returns the names of the options that differ from another layer's; nil has the defaults.
  fileprivate func differences(fromLayer other: (any LayerOptions)?) -> [String] {
    guard let other = (other ?? Self()) as? Self else { return ["layer"] }
    return differences(from: other)
  }
}

/// What a database is opened for.
public enum OpenMode: Hashable, Sendable {
  /// Writing and reading; makes the store when there is none. One handle at a time.
  case readWrite
  /// Reading what is there, also beside a writer in another process.
  case readOnly
}
