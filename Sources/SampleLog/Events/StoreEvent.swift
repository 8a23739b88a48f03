/// An event in a store, for the log of the program that has the store open.
///
/// Its description is one sentence that contains no health data: no value, date or subject's name.
public struct StoreEvent: Hashable, Sendable {
  /// The kinds of events; later versions may add cases.
  public enum Kind: Hashable, Sendable {
    /// The store was opened.
    ///
    /// `seconds` is the time that opening took.
    case opened(seconds: Double)
    /// A full log was sealed as a segment with the given numbers of rows and bytes.
    case sealed(rowCount: Int, byteCount: Int, seconds: Double)
    /// Segments were merged into one, in the foreground or in the background.
    case compacted(segmentCount: Int, bytesBefore: Int, bytesAfter: Int, seconds: Double)
    /// A file is damaged at a byte; each location is reported once while the store is open.
    case damaged(file: String, offset: Int, reason: String)
    /// A subscriber or a background delivery does not acknowledge changes.
    case stalled(Stall)
    /// The store's disk has fewer bytes available to this process than
    /// `Database.Options.lowSpaceByteCount`, or a commit found no space.
    ///
    /// Reported again only after more space was available in between.
    case diskNearlyFull(availableByteCount: Int)
    /// Another copy was promoted to primary; this store accepts no more commits.
    case fenced(epoch: UInt32)
    /// A replica follows a new primary, whose epoch began with this sequence number.
    case epochBegan(epoch: UInt32, first: UInt64)
    /// The replication stream between a primary and its replicas does not respond.
    case streamUnreachable(reason: String)
    /// The replication stream responds again.
    case streamReachable
    /// The stream responds, but the lease or the reports of replicas, which the same servers keep,
    /// cannot be used.
    ///
    /// A typical reason is a user without the permission for them.
    case streamServiceUnavailable(StreamService, reason: String)
    /// The lease or the reports of replicas can be used again.
    case streamServiceAvailable(StreamService)
    /// A replica lacks commits and reads the stream from its beginning.
    case resynchronizing(end: UInt64)
    /// The stream does not continue the replica's history; the replica must be re-created from a
    /// backup.
    case needsBackup(end: UInt64)
    /// A primary no longer publishes commits: its stream ends at one sequence number, its logs
    /// continue from a later one, and the commits in between exist in segments only.
    case publishingGap(published: UInt64, continued: UInt64)
    /// The stream of a primary has discarded commits that a replica lacks; the replica needs a new
    /// copy.
    case replicaGivenUp(name: String, end: UInt64, streamStart: UInt64)
  }

  /// A service of a stream's servers beside the stream itself.
  public enum StreamService: Hashable, Sendable {
    /// The primary's lease.
    case lease
    /// The reports of replicas about their progress.
    case reports

    /// The service as part of a sentence.
    fileprivate var name: String {
      switch self {
      case .lease: "the lease of its stream"
      case .reports: "the reports of replicas"
      }
    }
  }

  /// A delivery that makes no progress.
  public struct Stall: Hashable, Sendable {
    /// The name of a durable subscription, or the type of a background delivery.
    public let name: String
    /// The subject whose changes a background delivery carries, or nil for a durable subscription.
    public let subject: String?
    /// The number of unacknowledged sequence numbers.
    public let lag: UInt64
    /// Whether delivery is suspended until it is reset.
    public let isStopped: Bool

    /// Creates a report of a delivery.
    package init(name: String, subject: String?, lag: UInt64, isStopped: Bool) {
      self.name = name
      self.subject = subject
      self.lag = lag
      self.isStopped = isStopped
    }
  }

  /// The store's directory.
  public let path: String
  /// The kind of event, with its details.
  public let kind: Kind

  /// Whether the event requires an operator's attention.
  public var isProblem: Bool {
    switch kind {
    case .opened, .sealed, .compacted, .epochBegan, .streamReachable, .streamServiceAvailable,
      .resynchronizing:
      false
    case .damaged, .stalled, .diskNearlyFull, .fenced, .streamUnreachable,
      .streamServiceUnavailable, .needsBackup, .publishingGap, .replicaGivenUp:
      true
    }
  }
}

extension StoreEvent: CustomStringConvertible {
  /// A sentence that names the store.
  public var description: String {
    switch kind {
    case .opened(let seconds):
      "\(path) was opened in \(Self.milliseconds(seconds))."
    case .sealed(let rows, let bytes, let seconds):
      "\(path) sealed \(rows) rows into \(bytes) bytes in \(Self.milliseconds(seconds))."
    case .compacted(let segments, let before, let after, let seconds):
      "\(path) merged \(segments) segments of \(before) bytes into \(after) bytes in "
        + "\(Self.milliseconds(seconds))."
    case .damaged(let file, let offset, let reason):
      "\(path)/\(file) is damaged at byte \(offset): \(reason)."
    case .stalled(let stall):
      "\(path) has a delivery that is not acknowledged: \(stall.name), \(stall.lag) behind"
        + (stall.isStopped ? ", stopped." : ".")
    case .diskNearlyFull(let bytes):
      "\(path) is on a disk with \(bytes) bytes left."
    case .fenced(let epoch):
      "\(path) accepts no more commits: another copy began epoch \(epoch)."
    case .epochBegan(let epoch, let first):
      "\(path) follows a new primary, whose epoch \(epoch) began with \(first)."
    case .streamUnreachable(let reason):
      "\(path) cannot reach its stream: \(reason)"
    case .streamReachable:
      "\(path) can reach its stream again."
    case .streamServiceUnavailable(let service, let reason):
      "\(path) cannot use \(service.name): \(reason)"
    case .streamServiceAvailable(let service):
      "\(path) can use \(service.name) again."
    case .resynchronizing(let end):
      "\(path) ends at \(end), lacks commits, and reads its stream from the beginning."
    case .needsBackup(let end):
      "\(path) ends at \(end), is not continued by its stream, and needs a backup."
    case .publishingGap(let published, let continued):
      "\(path) publishes nothing: its stream ends at \(published), "
        + "its logs continue from \(continued)."
    case .replicaGivenUp(let name, let end, let start):
      "\(path) gives up the replica \(name), which ends at \(end): its stream begins after "
        + "\(start). The replica needs a new copy."
    }
  }

  private static func milliseconds(_ seconds: Double) -> String {
    // The engine does not link the part of Foundation that has `String(format:)`.
    let microseconds = Int(min(seconds, 1e12) * 1_000_000)
    return "\(microseconds / 1000).\(microseconds / 100 % 10) ms"
  }
}
