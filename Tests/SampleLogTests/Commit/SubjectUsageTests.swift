import Dispatch
import SampleLogSimulation
import Testing

@testable import SampleLog

/// The usage counts of subjects while saves, deletions and erasures interleave with the counting.
@Suite struct SubjectUsageTests {
  private let files = HookedFileSystem()
  private let database: Database
  private let usage = SubjectUsage(SubjectQuota(sampleCount: 10))

  /// Creates five samples in a segment and one deletion; counting them reads the file.
  init() throws {
    database = try Database(path: "store", options: testOptions(), fileSystem: files)
    for _ in 0..<5 { try database.save() }
    let gone = try database.save()
    try database.seal()
    try database.delete(gone)
  }

  private func payload(adding count: Int, subject: String = "ada") throws -> CommitPayload {
    var batch = Batch()
    for _ in 0..<count {
      batch.add(to: database.key("heartRate", subject: subject), start: 0, value: 1)
    }
    return try preparation(batch).payload
  }

  private func preparation(_ batch: Batch, erasing: [UInt64]? = nil) throws -> Preparation {
    var preparation = Preparation(snapshot: database.snapshot(), options: testOptions())
    try preparation.prepare(batch, erasing: erasing)
    return preparation
  }

  /// Commits a batch and returns a function that adds it to the usage counts.
  private func commit(_ batch: Batch) throws -> () -> Void {
    let preparation = try preparation(batch)
    let pending = PendingCommit(
      preparation, try preparation.stored(), arrangement: 0, isDurable: true)
    let first = try #require(try database.commit(batch).sequences).lowerBound
    return { usage.note(pending, first: first, database.symbols) }
  }

  private func saving(_ count: Int) throws -> () -> Void {
    var batch = Batch()
    for _ in 0..<count { batch.add(to: database.key("heartRate"), start: 0, value: 1) }
    return try commit(batch)
  }

  private func deleting(_ count: Int) throws -> () -> Void {
    var batch = Batch()
    let rows = try database.snapshot().select([database.key("heartRate")])
    for id in rows.map(\.id).prefix(count) { batch.delete(id) }
    return try commit(batch)
  }

  private func erasing() throws -> () -> Void {
    var batch = Batch()
    batch.set([1], to: [1])
    let preparation = try preparation(batch, erasing: [1])
    let pending = PendingCommit(
      preparation, try preparation.stored(), arrangement: 0, isDurable: true)
    return { usage.note(pending, first: 1, database.symbols) }
  }

  /// Runs a body on this thread in the middle of the next initial count.
  private func duringCounting(_ body: @escaping () throws -> Void) {
    files.beforeReading = { [files] path in
      // A segment written by this handle is opened under its temporary name.
      guard !path.hasSuffix(".log") else { return }
      files.beforeReading = { _ in }
      try body()
    }
  }

  private func isAdmitted(_ count: Int) throws -> Bool? {
    var group: [Symbol: Int] = [:]
    do {
      return try usage.admit(payload(adding: count), database.symbols, &group) ? true : nil
    } catch StoreError.limitExceeded {
      return false
    }
  }

  /// Expects that exactly the given number of further samples is admitted.
  private func expectRoom(_ room: Int, _ location: SourceLocation = #_sourceLocation) throws {
    #expect(try isAdmitted(room) == true, sourceLocation: location)
    #expect(try isAdmitted(room + 1) == false, sourceLocation: location)
  }

  @Test func `A subject is admitted only after it is counted`() throws {
    #expect(try isAdmitted(1) == nil)
    try usage.prepare(payload(adding: 1), database)
    try expectRoom(5)
    var group: [Symbol: Int] = [:]
    #expect(try usage.admit(payload(adding: 3), database.symbols, &group))
    #expect(throws: StoreError.limitExceeded(.subjectSamples, actual: 11, allowed: 10)) {
      try usage.admit(payload(adding: 3), database.symbols, &group)
    }
    #expect(try usage.admit(payload(adding: 2), database.symbols, &group))
  }

  @Test func `A visible commit that is not recorded when counting begins counts once`() throws {
    let note = try saving(2)
    try usage.prepare(payload(adding: 1), database)
    note()
    try expectRoom(3)
    try saving(1)()
    try expectRoom(2)
    try deleting(3)()
    try expectRoom(5)
  }

  @Test func `Commits that are recorded during counting count once`() throws {
    duringCounting {
      try saving(2)()
      try deleting(4)()
      try saving(1)()
    }
    try usage.prepare(payload(adding: 1), database)
    try expectRoom(6)
  }

  @Test(arguments: [false, true])
  func `Two writers that start counting a subject together count it once`(isBefore: Bool) throws {
    duringCounting {
      // The second snapshot includes the deletion, the first does not.
      if isBefore { try deleting(1)() }
      let late = try isBefore ? nil : deleting(1)
      try usage.prepare(payload(adding: 1), database)
      late?()
      try expectRoom(6)
      try saving(2)()
      try expectRoom(4)
    }
    try usage.prepare(payload(adding: 1), database)
    try expectRoom(4)
    try saving(1)()
    try expectRoom(3)
  }

  @Test func `A count keeps the changes recorded before another one begins and fails`() throws {
    let error = StoreError.inputOutput(operation: "read", path: "", code: 5, message: "")
    duringCounting {
      try saving(2)()
      duringCounting { throw error }
      #expect(throws: error) { try usage.prepare(payload(adding: 1), database) }
    }
    try usage.prepare(payload(adding: 1), database)
    try expectRoom(3)
  }

  @Test func `A writer that counted before an erasure does not restore its count`() throws {
    duringCounting { try erasing()() }
    try usage.prepare(payload(adding: 1), database)
    #expect(try isAdmitted(1) == nil)
    try usage.prepare(payload(adding: 1), database)
    try expectRoom(5)
    try erasing()()
    #expect(try isAdmitted(1) == nil)
  }

  @Test func `A count that began before an erasure does not replace one in progress`() throws {
    let (isCounting, mayEnd, hasEnded) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let payload = try payload(adding: 1)
    duringCounting {
      try deleting(2)()
      try erasing()()
      duringCounting {
        isCounting.signal()
        mayEnd.wait()
      }
      DispatchQueue.global().async { [usage, database] in
        // If it fails, nothing is admitted below.
        try? usage.prepare(payload, database)
        hasEnded.signal()
      }
      isCounting.wait()
    }
    // This count includes the two samples that are deleted by now.
    try usage.prepare(payload, database)
    mayEnd.signal()
    hasEnded.wait()
    try expectRoom(7)
  }

  @Test func `A writer that fails to count leaves no memory behind`() throws {
    let error = StoreError.inputOutput(operation: "read", path: "", code: 5, message: "")
    duringCounting { throw error }
    #expect(throws: error) { try usage.prepare(payload(adding: 1), database) }
    let before = Footprint(of: usage)
    for _ in 0..<3 { try deleting(1)() }
    #expect(Footprint(of: usage) == before)
    #expect(try isAdmitted(1) == nil)
    try usage.prepare(payload(adding: 1), database)
    try expectRoom(8)
  }

  @Test func `A writer that fails to count does not affect one that succeeds`() throws {
    let error = StoreError.inputOutput(operation: "read", path: "", code: 5, message: "")
    duringCounting {
      duringCounting { throw error }
      #expect(throws: error) { try usage.prepare(payload(adding: 1), database) }
      try deleting(2)()
    }
    try usage.prepare(payload(adding: 1), database)
    try expectRoom(7)
  }

  @Test func `A byte quota alone keeps no state per commit`() throws {
    let usage = SubjectUsage(SubjectQuota(byteCount: 1 << 30))
    try usage.prepare(payload(adding: 1), database)
    let before = Footprint(of: usage)
    for _ in 0..<20 {
      var batch = Batch()
      batch.add(to: database.key("heartRate"), start: 0, value: 1)
      let preparation = try preparation(batch)
      try usage.prepare(preparation.payload, database)
      let pending = PendingCommit(
        preparation, try preparation.stored(), arrangement: 0, isDurable: true)
      let first = try #require(try database.commit(batch).sequences).lowerBound
      usage.note(pending, first: first, database.symbols)
    }
    #expect(Footprint(of: usage) == before)
  }
}
