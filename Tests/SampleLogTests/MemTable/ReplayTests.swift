import Testing

@testable import SampleLog

/// Memtables that recovery fills: the rows of a log, indexed by identifier at the first look-up.
@Suite struct ReplayTests {
  private struct Saved: Equatable {
    var sequence: UInt64
    var id: Identifier
    var kind: RowKind
    var start: Double
  }

  private static func id(_ number: UInt64) -> Identifier { Identifier(high: 7, low: number) }

  private func open(_ files: MemoryFileSystem) throws -> Database {
    var options = Database.Options()
    options.sealsInBackground = false
    return try Database(path: "store", options: options, fileSystem: files)
  }

  /// Saves and deletes samples of a large and of many small series.
  private func fill(_ database: Database, commits: Int) throws {
    for commit in 0..<commits {
      var batch = database.makeBatch()
      for row in 0..<1000 {
        let number = UInt64(commit * 1000 + row)
        let type = row % 3 == 0 ? "type \(row % 200)" : "heartRate"
        batch.add(
          to: database.series(subject: "ada", type: type), id: Self.id(number),
          start: Double(number ^ 5), value: 1)
      }
      if commit > 0 {
        for row in stride(from: 0, to: 1000, by: 97) {
          batch.delete(Self.id(UInt64((commit - 1) * 1000 + row)))
        }
      }
      try database.commit(batch)
    }
  }

  private func rows(_ database: Database) throws -> [Saved] {
    let snapshot = database.snapshot()
    return try snapshot.memTables.flatMap {
      try $0.rows(after: 0, through: snapshot.end, in: nil, limit: .max)
    }.map {
      Saved(
        sequence: $0.sequence, id: $0.id, kind: $0.block.kind, start: $0.block.start[$0.row])
    }
  }

  @Test(arguments: [1, 5, 20])
  func `A log of many commits is replayed completely and in order`(commits: Int) throws {
    let files = MemoryFileSystem()
    let database = try open(files)
    try fill(database, commits: commits)
    let again = try open(files.copy())
    #expect(try rows(again) == rows(database))
    #expect(try rows(again).count >= commits * 1000)
    let last = Self.id(UInt64(commits * 1000 - 1))
    #expect(try again.snapshot().row(last)?.id == last)
    var batch = again.makeBatch()
    batch.add(
      to: again.series(subject: "ada", type: "heartRate"), id: last, start: 0, value: 1)
    #expect(throws: StoreError.self) { try again.commit(batch) }
    try again.checkInvariants()
  }

  @Test func `The first commit after recovery refuses an identifier of the log`() throws {
    let files = MemoryFileSystem()
    try fill(open(files), commits: 6)
    let again = try open(files.copy())
    let series = again.series(subject: "ada", type: "heartRate")
    var (known, new) = (again.makeBatch(), again.makeBatch())
    known.add(to: series, id: Self.id(1), start: 0, value: 1)
    new.add(to: series, id: Self.id(1_000_000), start: 0, value: 1)
    #expect(throws: StoreError.self) { try again.commit(known) }
    try again.commit(new)
    #expect(throws: StoreError.self) { try again.commit(new) }
    try again.checkInvariants()
  }

  private func group(_ key: SeriesKey, _ ids: [UInt64], deleting target: UInt64?) -> RowGroup {
    let none = [Symbol](repeating: 0, count: ids.count)
    var group = RowGroup()
    group.subject = ids.map { _ in key.subject }
    group.type = ids.map { _ in key.type }
    (group.unit, group.source, group.device, group.extras) = (none, none, none, none)
    group.id = ids.map(Self.id)
    group.start = ids.map(Double.init)
    (group.end, group.value) = (group.start, group.start)
    if let target { group.target = ids.map { _ in target } }
    return group
  }

  /// The first commits are indexed at once, the others at the first look-up.
  @Test(arguments: 0...5)
  func `Samples are found by identifier wherever indexing begins`(indexed: Int) throws {
    let symbols = SymbolTable()
    let memTable = MemTable(first: 1, symbols: symbols)
    var next: UInt64 = 1
    var newest: [UInt64: UInt64] = [:]
    for commit in 0..<5 {
      // The small series keeps its rows among the shared ones.
      let key = SeriesKey(
        subject: symbols.intern("ada"), type: symbols.intern(commit % 2 == 0 ? "small" : "large"))
      let first = UInt64(commit + 1) * 1000
      // The sample 0 is deleted and saved again.
      let ids = [0] + (first..<first + (commit % 2 == 0 ? 3 : 100))
      var payload = CommitPayload()
      if let old = newest[0] { payload.deletions = group(key, [0], deleting: old) }
      payload.rows = group(key, ids, deleting: nil)
      memTable.append(payload, first: next, time: 0, isIndexed: commit < indexed)
      next += UInt64(payload.deletions.count)
      for id in ids {
        newest[id] = next
        next += 1
      }
    }
    for (id, sequence) in newest {
      let row = try memTable.find(Self.id(id)) { _ in true }
      #expect(row?.sequence == sequence)
      #expect([Self.id(id)].withUnsafeBufferPointer { memTable.firstMatch($0) { _ in true } } == 0)
    }
    let unknown = [Self.id(1), Self.id(999_999)]
    #expect(unknown.withUnsafeBufferPointer { memTable.firstMatch($0) { _ in true } } == nil)
    try memTable.checkInvariants()
  }
}
