import SampleLog

/// Commits that leave the amount of data unchanged, in a store with every option set.
///
/// The memory of a database depends on its contents, not on the number of past commits.
package final class RepeatedCommits {
  private let database: Database
  private let bystander: ChangeFeed
  private var observations: [CommitObservation]
  private var last: [Identifier?] = Array(repeating: nil, count: 8)
  private var number: UInt64 = 0

  package init() throws {
    let clock = Locked(0.0)
    var options = Database.Options()
    options.sealsInBackground = false
    options.clock = {
      clock.withLock { now in
        now += 1
        return now
      }
    }
    options.subjectQuota = SubjectQuota(sampleCount: 1000, byteCount: 1 << 40)
    options.onEvent = { _ in }
    options.keepsSealedLogs = true
    options.deletionRetention = .seconds(0)
    options.registrationRetention = .seconds(0)
    options.sealRowCount = 1 << 20
    options.identifierIndexByteCount = 1 << 20
    database = try Database(path: "store", options: options, fileSystem: MemoryFileSystem())
    // The bystander's feed is never read, and is notified of every commit.
    bystander = try ChangeFeed(database, after: nil)
    observations = [database.observe { _ in }]
    database.whenDurable { _ in }
    database.addCommitHook { _, _ in [] }
    observations.append(database.observe([key(0)]) { _ in })
    _ = try database.register(key(0), frequency: 1)
  }

  /// Returns the key of one of eight series.
  private func key(_ series: Int) -> SeriesKey {
    SeriesKey(
      subject: database.symbols.intern("\(series / 2)"),
      type: database.symbols.intern(series % 2 == 0 ? "heartRate" : "stepCount"))
  }

  /// Replaces a sample of one of eight series, by its sync identifier or explicitly, and a setting,
  /// while a reader looks up an unknown name.
  private func commit() throws {
    number += 1
    let lease = SymbolLease(database.symbols)
    _ = lease.symbol("reader \(number)")
    let series = Int(number % 8)
    var batch = Batch()
    var extras = Extras()
    if series < 4 {
      extras.syncIdentifier = [UInt8(series)]
      extras.syncVersion = Int64(number)
    } else if let last = last[series] {
      batch.delete(last)
    }
    let id = Identifier(high: 1, low: number)
    batch.add(
      to: key(series), id: id, start: Double(number), value: 1,
      extras: batch.intern(extras: extras.encoded))
    batch.dependencies = [Identifier(high: 2, low: number)]
    batch.set(Array("setting \(series)".utf8), to: [UInt8(number % 251) + 1])
    try database.commit(batch)
    last[series] = id
  }

  /// Performs a number of commits, and then reduces the store to the fewest files.
  package func run(_ commits: Int) throws -> Footprint {
    for count in 1...commits {
      try commit()
      if count % 500 == 0 { try settle() }
    }
    try database.seal()
    _ = try database.compact()
    try settle()
    try database.releaseLogs(through: database.end)
    database.drainEvents()
    return Footprint(of: database)
  }

  /// Acknowledges everything for the subscriber and the stream.
  private func settle() throws {
    try database.acknowledge("reader", through: database.end)
    try database.notePublished(
      HistoryPosition(last: database.end, chain: HistoryChain(value: 1)))
  }
}
