import Dispatch
import FoundationEssentials
import SampleLog
import Testing

/// Deleting a selection: the deleted rows, the number of commits, and concurrent changes.
@Suite struct DeleteWhereTests {
  /// Creates a store with heart rate rows, numbered from 0.
  private func store(
    _ count: Int, isSealed: Bool = false, _ change: (inout Database.Options) -> Void = { _ in }
  ) throws -> Database {
    let database = try Database.inMemory(MemoryFileSystem(), change)
    for first in stride(from: 0, to: count, by: 100) {
      var batch = Batch()
      for row in first..<min(first + 100, count) { batch.add(row, to: database) }
      try database.commit(batch)
    }
    if isSealed { try database.seal() }
    return database
  }

  private func values(_ range: ClosedRange<Double>) -> RowFilter {
    var filter = RowFilter()
    filter.value = { _ in Bounds(lower: range.lowerBound, upper: range.upperBound) }
    return filter
  }

  @Test(arguments: [false, true])
  func `A selection is deleted in one commit, and its deletions are in the feed`(isSealed: Bool)
    throws
  {
    let database = try store(2000, isSealed: isSealed) { $0.expiryBatchCount = 10 }
    try database.save("stepCount", value: 500)
    let anchor = database.anchor
    var filter = values(100...1899)
    filter.condition = { block, row in block.value[row].truncatingRemainder(dividingBy: 2) == 0 }
    let selection = SeriesSelection([database.key("heartRate")], where: filter)
    #expect(try database.delete(where: selection) == 900)
    #expect(database.end == 2001 + 900)
    let page = try database.snapshot().changes(after: anchor)
    #expect(page.changes.map(\.kind) == [RowKind](repeating: .deletion, count: 900))
    #expect(Set(page.changes.map(\.row.value)) == Set(stride(from: 100, to: 1900, by: 2)))
    #expect(try database.values().count == 1100)
    #expect(try database.values("stepCount") == [500])
    #expect(try database.delete(where: selection) == 0)
    #expect(database.end == 2001 + 900, "an empty deletion commits nothing")
  }

  @Test(arguments: [64, 65])
  func `On a full disk more than 64 are deleted in smaller commits`(count: Int) throws {
    let disk = HookedFileSystem()
    let full = StoreError.inputOutput(operation: "write", path: "log", code: 28, message: "full")
    let database = try Database(path: "store", options: testOptions(), fileSystem: disk)
    for row in 0..<count { try database.save(start: Double(row), value: Double(row)) }
    var failures = 1
    disk.before = { operation, path in
      guard operation == "write", path.contains(".log"), failures > 0 else { return }
      failures -= 1
      throw full
    }
    let rule = ExpiryRule(endingBefore: 1000)
    if count == 64 {
      #expect(throws: full) { try database.expire([rule]) }
    } else {
      #expect(try database.expire([rule]).commitCount == 5, "16 at a time")
      #expect(try database.values() == [])
    }
  }

  @Test func `Each series has its own filter, and an empty list of series means all`() throws {
    let database = try store(0)
    for subject in ["ada", "bob"] {
      for type in ["heartRate", "stepCount"] {
        for day in 0..<10 {
          try database.save(type, subject: subject, start: Double(day), value: Double(day))
        }
      }
    }
    let selection = SeriesSelection([
      database.key("heartRate"): values(0...3), database.key("stepCount"): values(5...5),
    ])
    #expect(try database.delete(where: selection) == 5)
    #expect(try database.values() == [4, 5, 6, 7, 8, 9])
    #expect(try database.values("stepCount").count == 9)
    // A repeated series is searched once.
    let twice = [SeriesKey](repeating: database.key("heartRate", subject: "bob"), count: 2)
    #expect(try database.delete(where: SeriesSelection(twice, where: values(0...1))) == 2)
    #expect(try database.delete(where: SeriesSelection(where: values(9...9))) == 4)
    #expect(try database.delete(where: SeriesSelection([])) == 0)
    #expect(try database.delete(where: SeriesSelection()) == 5 + 8 + 7 + 9)
    #expect(try database.statistics().sampleCount == 0)
  }

  @Test(arguments: [false, true], [3, 2000])
  func `Samples are deleted by identifier, in their series only`(
    isSealed: Bool, count: Int
  ) throws {
    let database = try store(count, isSealed: isSealed) { $0.batchRecordLimit = 100 }
    let other = try database.save("stepCount")
    var filter = RowFilter()
    filter.ids = Set(try database.snapshot().select([database.key("heartRate")]).map(\.id))
    filter.ids?.formUnion([other, Identifier(UUID())])
    let selection = SeriesSelection([database.key("heartRate")], where: filter)
    #expect(try database.delete(where: selection) == count)
    #expect(try database.values().isEmpty)
    #expect(try database.values("stepCount") == [60])
  }

  @Test(arguments: [false, true])
  func `More samples than a commit admits are deleted in several commits`(isSealed: Bool) throws {
    let database = try store(1050, isSealed: isSealed) { $0.batchRecordLimit = 100 }
    let anchor = database.anchor
    let selection = SeriesSelection([database.key("heartRate")], where: values(0...999))
    #expect(try database.delete(where: selection) == 1000)
    let changes = try database.snapshot().changes(after: anchor).changes
    #expect(Set(changes.map(\.row.id)).count == 1000)
    #expect(try database.values() == (1000..<1050).map(Double.init))
  }

  @Test func `A commit with too many bytes is retried with fewer samples`() throws {
    let database = try store(1000) { $0.batchByteLimit = 20_000 }
    #expect(try database.delete(where: SeriesSelection()) == 1000)
    #expect(try database.values().isEmpty)
  }

  @Test func `Samples saved during the search are not deleted`() throws {
    let database = try store(100)
    var saved = 0
    let count = try database.delete(where: SeriesSelection()) { row, snapshot in
      #expect(try snapshot.row(row.id) != nil)
      if row.value == 50 {
        try database.save(start: 50.5, value: 1000)
        saved += 1
      }
    }
    #expect(count == 100)
    #expect(saved == 1, "a save does not overtake the commit")
    #expect(try database.values() == [1000])
  }

  @Test func `Concurrent deletions, replacements and moves during the search are no error`()
    throws
  {
    let database = try store(100)
    var extras = Extras()
    extras.syncIdentifier = Array("a".utf8)
    extras.syncVersion = 1
    try database.save(start: 200, value: 200, extras: extras)
    let victim = try #require(
      database.snapshot().select([database.key("heartRate")]).first { $0.value == 7 }?.id)
    var round = 0
    let count = try database.delete(where: SeriesSelection()) { row, _ in
      guard row.value == 50 else { return }
      round += 1
      switch round {
      case 1:
        try database.delete(victim)
        extras.syncVersion = 2
        try database.save(start: 200, value: 201, extras: extras)
      case 2:
        try database.seal()
        try database.save(start: 300, value: 300)
      default: break
      }
    }
    #expect(round == 3)
    #expect(count == 99)
    #expect(try database.values() == [201, 300])
    let deletions = try database.snapshot().changes(after: .beginning).changes.filter {
      $0.kind == .deletion
    }
    #expect(deletions.count == 101)
    #expect(Set(deletions.map(\.row.id)).count == 101)
  }

  @Test func `An error of an inspection or a condition prevents the commit`() throws {
    struct Refusal: Error {}
    let database = try store(100, isSealed: true)
    #expect(throws: Refusal.self) {
      try database.delete(where: SeriesSelection()) { row, _ in
        if row.value == 99 { throw Refusal() }
      }
    }
    var filter = RowFilter()
    filter.condition = { block, row in
      if block.value[row] == 99 { throw Refusal() }
      return true
    }
    #expect(throws: Refusal.self) { try database.delete(where: SeriesSelection(where: filter)) }
    #expect(try database.values().count == 100)
  }

  @Test func `A read-only or closed store deletes nothing`() throws {
    let fileSystem = MemoryFileSystem()
    let database = try Database.inMemory(fileSystem)
    try database.save()
    let reader = try Database.inMemory(fileSystem, mode: .readOnly)
    #expect(throws: StoreError.readOnly) { try reader.delete(where: SeriesSelection()) }
    try database.close()
    #expect(throws: StoreError.closed) { try database.delete(where: SeriesSelection()) }
  }

  @Test func `Concurrent deletions and saves delete every sample once`() throws {
    let database = try store(2000) { $0.batchRecordLimit = 200 }
    let counts = Locked<[Int]>([])
    let selection = SeriesSelection([database.key("heartRate")], where: values(0...1999))
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      do {
        switch number {
        case 3: for row in 0..<50 { try database.save(start: 5000 + Double(row), value: 5000) }
        case 2:
          let result = try database.expire([ExpiryRule(endingBefore: 2000)])
          counts.withLock { $0.append(result.sampleCount) }
        default:
          let count = try database.delete(where: selection)
          counts.withLock { $0.append(count) }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(counts.withLock { $0.reduce(0, +) } == 2000)
    #expect(try database.values() == [Double](repeating: 5000, count: 50))
  }

  @Test(arguments: [false, true])
  func `A batch that omits known samples reports them and adds the others`(
    isSealed: Bool
  ) throws {
    let database = try store(3, isSealed: isSealed)
    let known = try database.snapshot().select([database.key("heartRate")]).map(\.id)
    let gone = try #require(known.last)
    try database.delete(gone)
    let new = Identifier(UUID())
    let key = database.key("heartRate")
    var batch = Batch()
    batch.ignoresDuplicates = true
    for (number, id) in [known[0], new, new, gone, known[1]].enumerated() {
      var extras = Extras()
      extras.metadata = [UInt8(number + 1)]
      batch.add(
        subject: key.subject, type: key.type, id: id, start: 10, end: 10, value: Double(number),
        extras: batch.intern(extras: extras.encoded))
    }
    let result = try database.commit(batch)
    #expect(result.known == [0, 2, 4])
    let found = try database.snapshot().select([key]).filter { $0.start == 10 }
    #expect(found.map(\.id) == [new, gone])
    #expect(found.map(\.value) == [1, 3])
    #expect(found.map { [UInt8]($0.block.metadata(at: $0.row)) } == [[2], [4]])
    #expect(try database.commit(batch).sequences == nil, "all are known the second time")
  }
}
