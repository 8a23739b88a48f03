import Foundation
import SampleLog
import SampleLogSimulation
import Testing

/// Real threads that save, read, delete and compact concurrently.
///
/// The values of each batch sum to 0.
///
/// `FEED_RUNS` is the number of runs: 1,000 in a long test.
@Suite struct StressTests {
  private static let runs = Int(ProcessInfo.processInfo.environment["FEED_RUNS"] ?? "") ?? 1

  /// The number of rows and their sum, per batch, in a page or a query's result.
  private struct Groups {
    private var sums: [Double: (count: Int, sum: Double)] = [:]

    mutating func add(_ row: Row) {
      let group = row.block.start[row.row]
      let known = sums[group] ?? (0, 0)
      sums[group] = (known.count + 1, known.sum + row.block.value[row.row])
    }

    /// The batches that are incomplete.
    var halves: [Double] { sums.filter { $0.value.count != 5 || $0.value.sum != 0 }.map(\.key) }
  }

  @Test(arguments: Trials.first(6, of: [1, 2, 4, 8, 16, 32, 64]))
  func `No thread sees half a batch`(threads: Int) throws {
    for run in 0..<Self.runs { try stress(threads, run) }
  }

  private func stress(_ threads: Int, _ run: Int) throws {
    var options = Database.Options()
    options.sealRowCount = 60
    options.deletionRetention = .seconds(run % 2 == 0 ? 1e9 : -1)
    let database = try Database(
      path: "store", options: options, fileSystem: MemoryFileSystem())
    let key = SeriesKey(
      subject: database.symbols.intern("ada"), type: database.symbols.intern("steps"))
    let committed = Locked(0)
    let problems = Locked<[String]>([])
    runThreads(threads) { thread in
      do {
        for round in 0..<12 {
          let number = thread * 100 + round
          let ids = (0..<5).map { Identifier(high: UInt64(number) + 1, low: UInt64($0)) }
          try save(ids, number, key, database)
          committed.withLock { $0 += 1 }
          var halves = try answer(key, database) + page(database)
          if round % 3 == 2 {
            var batch = Batch()
            for id in ids { batch.delete(id) }
            try database.commit(batch)
            committed.withLock { $0 -= 1 }
          }
          if round % 6 == 5, thread % 4 == 0 { try database.compact() }
          halves += try answer(key, database)
          if !halves.isEmpty { problems.withLock { $0.append("\(halves)") } }
        }
      } catch {
        problems.withLock { $0.append("\(error)") }
      }
    }
    #expect(problems.withLock { $0 } == [])
    #expect(try database.snapshot().select([key]).count == committed.withLock { $0 } * 5)
    try database.close()
  }

  private func save(
    _ ids: [Identifier], _ number: Int, _ key: SeriesKey, _ database: Database
  ) throws {
    var batch = Batch()
    for (id, value) in zip(ids, [-2, -1, 0, 1, 2]) {
      let start = Double(number)
      batch.add(
        subject: key.subject, type: key.type, id: id, start: start, end: start,
        value: Double(value))
    }
    try database.commit(batch)
  }

  private func answer(_ key: SeriesKey, _ database: Database) throws -> [Double] {
    var groups = Groups()
    for row in try database.snapshot().select([key]) { groups.add(row) }
    return groups.halves
  }

  /// Reads a page without a limit, in which each batch is added or deleted as a whole.
  private func page(_ database: Database) throws -> [Double] {
    var added = Groups()
    for change in try database.snapshot().changes(after: .beginning).changes
    where change.kind == .sample {
      added.add(change.row)
    }
    return added.halves
  }
}
