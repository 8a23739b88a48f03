/// How far a handle that only reads has come, so that looking again costs little.
struct Follower: Sendable {
  /// The logs and segments that were there.
  private(set) var names: Set<String>
  /// The newest log, read up to its last good frame; nil when there is none.
  nonisolated(unsafe) private(set) var log: LogReader?

  init(_ recovered: Recovered) {
    names = recovered.names
    log = recovered.lastLog?.log
  }

  /// Whether the newest log still has its name in a directory, which may have been replaced.
  func isInPlace(_ path: String) throws -> Bool {
    guard let log else { return true }
    return try log.file.isNamed(path + "/" + log.name)
  }

  /// Commits that followed in the newest log.
  struct News {
    var commits: [(payload: CommitPayload, first: UInt64, time: Double)] = []
    var end: UInt64

    /// Whether a subject was erased, whose rows only reading everything again finds.
    var isErasure: Bool {
      commits.contains { commit in
        commit.payload.settings.contains { Erasure.subject(ofKey: $0.key) != nil }
      }
    }
  }

  /// Reads what followed in the newest log, as far as it is durable.
  ///
  /// - Returns: nil when only reading everything again can tell.
  mutating func read(_ symbols: SymbolTable) throws -> News? {
    guard let log, try log.mayHaveMore() else { return log.map { News(end: $0.end.last) } }
    var (next, news) = try Self.read(log, through: .max, symbols)
    if try !next.makeDurable() {
      (next, news) = try Self.read(log, through: next.durableThrough, symbols)
    }
    guard next.damages.isEmpty else { return nil }
    self.log = next
    return news
  }

  private static func read(
    _ log: LogReader, through: UInt64, _ symbols: SymbolTable
  ) throws -> (LogReader, News) {
    var log = log
    var news = News(end: log.end.last)
    try log.read(limit: nil, through: through) { frame, bytes in
      guard let payload = CommitPayload(bytes, in: frame, symbols) else { return false }
      news.commits.append((payload, frame.first, frame.time))
      return true
    }
    news.end = log.end.last
    return (log, news)
  }
}
