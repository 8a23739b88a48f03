/// The state of a tailing reader, which makes refreshing a read-only handle cheap.
struct TailingReader: Sendable {
  /// The logs and segments at the last recovery.
  private(set) var names: Set<String>
  /// The newest log, read through its last valid frame, or nil if there is none.
  nonisolated(unsafe) private(set) var log: LogReader?

  init(_ recovered: Recovered) {
    names = recovered.names
    log = recovered.lastLog?.log
  }

  /// Returns whether the newest log still has its name; the directory may have been replaced.
  func isInPlace(_ path: String) throws -> Bool {
    guard let log else { return true }
    return try log.file.isNamed(path + "/" + log.name)
  }

  /// A delta: commits that were appended to the newest log.
  struct Delta {
    var commits: [(payload: CommitPayload, first: UInt64, time: Double)] = []
    var end: UInt64

    /// Whether the delta erases a subject, whose rows only a full recovery finds.
    var isErasure: Bool {
      commits.contains { commit in
        commit.payload.settings.contains { Erasure.subject(ofKey: $0.key) != nil }
      }
    }
  }

  /// Reads the durable commits that were appended to the newest log.
  ///
  /// - Returns: The delta, or nil if a full recovery is required.
  mutating func read(_ symbols: SymbolTable) throws -> Delta? {
    guard let log, try log.mayHaveMore() else { return log.map { Delta(end: $0.end.last) } }
    var (next, delta) = try Self.read(log, through: .max, symbols)
    if try !next.makeDurable() {
      (next, delta) = try Self.read(log, through: next.durableThrough, symbols)
    }
    guard next.damages.isEmpty else { return nil }
    self.log = next
    return delta
  }

  private static func read(
    _ log: LogReader, through: UInt64, _ symbols: SymbolTable
  ) throws -> (LogReader, Delta) {
    var log = log
    var delta = Delta(end: log.end.last)
    try log.read(limit: nil, through: through) { frame, bytes in
      guard let payload = CommitPayload(bytes, in: frame, symbols) else { return false }
      delta.commits.append((payload, frame.first, frame.time))
      return true
    }
    delta.end = log.end.last
    return (log, delta)
  }
}
