/// Something that happened to a store, for the log of the program that has it open.
///
/// Its description is one sentence without anything of the data: no value, no date and nobody's
/// name.
public struct StoreEvent: Hashable, Sendable {
  /// What happened; later versions may add cases.
  public enum Kind: Hashable, Sendable {
    /// The store was opened, with the seconds that took.
    case opened(seconds: Double)
    /// A full log became a segment, with its numbers of rows and bytes.
    case sealed(rowCount: Int, byteCount: Int, seconds: Double)
    /// Segments became one, those merged in the background included.
    case compacted(segmentCount: Int, bytesBefore: Int, bytesAfter: Int, seconds: Double)
    /// A file is damaged at a byte; each place is reported once while the store is open.
    case damaged(file: String, offset: Int, reason: String)
    /// Somebody does not acknowledge what is delivered.
    case stalled(Stall)
    /// Fewer bytes are available to this process on the store's disk than
    /// `Database.Options.lowSpaceByteCount`, or a commit found no space; reported again once there
    /// was more in between.
    case diskNearlyFull(availableByteCount: Int)
    /// Another copy was promoted in this primary's place; nothing more is saved here.
    case fenced(epoch: UInt32)
    /// A replica follows a new primary, whose epoch began with this sequence number.
    case epochBegan(epoch: UInt32, first: UInt64)
    /// The stream between a primary and its replicas does not answer.
    case streamUnreachable(reason: String)
    /// The stream answers again.
    case streamReachable
    /// A replica lacks commits and reads the stream from its beginning.
    case resynchronizing(end: UInt64)
    /// The stream does not continue a replica, which has to be made of a backup again.
    case needsBackup(end: UInt64)
    /// A primary publishes nothing more: its stream ends at one sequence number, its logs go on
    /// from another, and what lies between is in segments only.
    case publishingGap(published: UInt64, continued: UInt64)
  }

  /// A delivery that does not get on.
  public struct Stall: Hashable, Sendable {
    /// The name of a durable subscription; the type of a background delivery.
    public let name: String
    /// Whose changes a background delivery has; nil for a durable subscription.
    public let subject: String?
    /// How many sequence numbers are not acknowledged.
    public let lag: UInt64
    /// Whether nothing is delivered any more until somebody resets it.
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
  /// What happened.
  public let kind: Kind

  /// Whether somebody should look at it.
  public var isProblem: Bool {
    switch kind {
    case .opened, .sealed, .compacted, .epochBegan, .streamReachable, .resynchronizing: false
    case .damaged, .stalled, .diskNearlyFull, .fenced, .streamUnreachable, .needsBackup,
      .publishingGap:
      true
    }
  }
}

extension StoreEvent: CustomStringConvertible {
  /// One sentence that names the store.
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
      "\(path) saves no more, because epoch \(epoch) was begun by another copy."
    case .epochBegan(let epoch, let first):
      "\(path) follows a new primary, whose epoch \(epoch) began with \(first)."
    case .streamUnreachable(let reason):
      "\(path) cannot reach its stream: \(reason)"
    case .streamReachable:
      "\(path) can reach its stream again."
    case .resynchronizing(let end):
      "\(path) ends at \(end), lacks commits, and reads its stream from the beginning."
    case .needsBackup(let end):
      "\(path) ends at \(end), is not continued by its stream, and needs a backup."
    case .publishingGap(let published, let continued):
      "\(path) publishes nothing: its stream ends at \(published), "
        + "its logs go on from \(continued)."
    }
  }

  private static func milliseconds(_ seconds: Double) -> String {
    // Not by `String(format:)`, which the engine has no Foundation for.
    let microseconds = Int(min(seconds, 1e12) * 1_000_000)
    return "\(microseconds / 1000).\(microseconds / 100 % 10) ms"
  }
}
