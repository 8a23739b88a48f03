import Dispatch
import Testing

@testable import SampleLog

/// The events that a store reports to its handler.
@Suite struct EventTests {
  private let disk = HookedFileSystem()
  private let heard = Locked<[StoreEvent]>([])

  private func open(
    _ mode: OpenMode = .readWrite, _ change: (inout Database.Options) -> Void = { _ in }
  ) throws -> Database {
    let options = testOptions { options in
      options.onEvent = { [heard] event in heard.withLock { $0.append(event) } }
      options.lowSpaceByteCount = 1000
      change(&options)
    }
    return try Database(path: "store", mode: mode, options: options, fileSystem: disk)
  }

  /// The events since the last call.
  private func events(_ database: Database) -> [StoreEvent.Kind] {
    database.drainEvents()
    return heard.withLock { events in
      defer { events = [] }
      return events.map(\.kind)
    }
  }

  /// Flips a bit in the first block of the only segment.
  private func damage() throws {
    let name = try #require(disk.memory.list("store")?.first { $0.hasSuffix(".segment") })
    let file = try disk.memory.open("store/" + name, .update)
    var byte = try #require(try file.bytes(1, at: 90))
    byte[0] ^= 1
    try byte.withUnsafeBytes { try file.write($0, at: 90) }
  }

  @Test func `Opening is reported, for writing and for reading`() throws {
    for mode in [OpenMode.readWrite, .readOnly] {
      let database = try open(mode)
      guard case .opened(let seconds)? = events(database).first else {
        Issue.record("not reported")
        return
      }
      #expect(seconds >= 0)
      try database.close()
    }
  }

  @Test func `A sealing is reported with its rows and bytes`() throws {
    let database = try open()
    for value in 1...5 { try database.save(value: Double(value)) }
    _ = events(database)
    try database.seal()
    guard case .sealed(let rows, let bytes, _)? = events(database).first else {
      Issue.record("not reported")
      return
    }
    #expect(rows == 5)
    #expect(bytes == (try database.statistics().segments.first?.byteCount))
  }

  @Test func `A compaction is reported with what it merged`() throws {
    let database = try open()
    for value in 1...3 {
      try database.save(value: Double(value))
      try database.seal()
    }
    let before = try database.statistics().segments.reduce(0) { $0 + $1.byteCount }
    _ = events(database)
    let result = try database.compact()
    let kinds = events(database)
    let merged = kinds.compactMap { kind -> [Int]? in
      guard case .compacted(let segments, let before, let after, _) = kind else { return nil }
      return [segments, before, after]
    }
    let after = try #require(try database.statistics().segments.first?.byteCount)
    #expect(merged == [[3, before, after]])
    #expect(result.bytesBefore == before && result.bytesAfter == after)
  }

  @Test func `Damage that a reader finds is reported once, with its position`() throws {
    let database = try open()
    try database.save()
    try database.seal()
    try damage()
    _ = events(database)
    for _ in 1...2 { #expect(throws: StoreError.self) { try database.values() } }
    let kinds = events(database)
    #expect(kinds.count == 1)
    guard case .damaged(let file, _, _)? = kinds.first else {
      Issue.record("not reported")
      return
    }
    #expect(file.hasSuffix(".segment"))
  }

  @Test(arguments: [false, true])
  func `Damage that opening finds is reported, tolerated or not`(
    isTolerated: Bool
  ) throws {
    let first = try open()
    for value in 1...3 {
      try first.save(value: Double(value))
      try first.seal()
    }
    try first.close()
    let names = try #require(disk.memory.list("store")).filter { $0.hasSuffix(".segment") }
    try disk.memory.remove("store/" + names.sorted()[1])
    heard.withLock { $0 = [] }
    if isTolerated {
      let database = try open(.readOnly) { $0.toleratesDamage = true }
      let kinds = events(database)
      #expect(database.damages.count == 1)
      #expect(kinds.contains { if case .damaged = $0 { true } else { false } })
    } else {
      let reported = DispatchSemaphore(value: 0)
      #expect(throws: StoreError.self) {
        try open(.readOnly) {
          $0.onEvent = { event in
            if case .damaged = event.kind { reported.signal() }
          }
        }
      }
      #expect(reported.wait(timeout: .now() + 900) == .success)
    }
  }

  @Test func `A subscription that delays forgetting deletions is reported`() throws {
    let now = Locked(0.0)
    let database = try open {
      $0.clock = { now.withLock { $0 } }
      $0.deletionRetention = .seconds(100)
    }
    let id = try database.save()
    try database.acknowledge("phone", through: 1)
    try database.acknowledge("mirror", through: 2)
    try database.delete(id)
    now.withLock { $0 = 99 }
    try database.compact()
    #expect(stalls(events(database)).isEmpty, "within the retention")
    now.withLock { $0 = 101 }
    try database.save()
    try database.compact()
    let stall = try #require(stalls(events(database)).first)
    #expect(stall.name == "phone")
    #expect(stall.lag == database.end - 1)
    #expect(stall.subject == nil)
    #expect(!stall.isStopped)
  }

  private func stalls(_ kinds: [StoreEvent.Kind]) -> [StoreEvent.Stall] {
    kinds.compactMap { if case .stalled(let stall) = $0 { stall } else { nil } }
  }

  @Test func `A full disk is reported once until space is available again`() throws {
    func left(_ kinds: [StoreEvent.Kind]) -> [Int] {
      kinds.compactMap { if case .diskNearlyFull(let bytes) = $0 { bytes } else { nil } }
    }
    disk.available.withLock { $0 = 1000 }
    let database = try open()
    #expect(left(events(database)).isEmpty)
    for (available, expected) in [(999, [999]), (998, []), (1000, []), (997, [997])] {
      disk.available.withLock { $0 = available }
      try database.save()
      try database.seal()
      #expect(left(events(database)) == expected)
    }
  }

  @Test func `A commit that fails for lack of space is reported`() throws {
    let database = try open()
    _ = events(database)
    let full = StoreError.inputOutput(
      operation: "reserve", path: "log", code: 28, message: "No space left on device")
    disk.beforeReserving = { _, _ in throw full }
    disk.before = { operation, _ in if operation == "write" { throw full } }
    #expect(throws: StoreError.self) { try database.save() }
    #expect(events(database) == [.diskNearlyFull(availableByteCount: 0)])
  }

  @Test func `A commit that fails for another reason is not reported as a full disk`() throws {
    let database = try open()
    _ = events(database)
    let failure = StoreError.inputOutput(
      operation: "write", path: "log", code: 5, message: "Input/output error")
    disk.before = { operation, _ in if operation == "write" { throw failure } }
    #expect(throws: failure) { try database.save() }
    #expect(events(database) == [])
  }

  @Test func `A handler may use the store`() throws {
    let isDone = DispatchSemaphore(value: 0)
    let end = Locked<UInt64?>(nil)
    let held = Locked<Database?>(nil)
    let database = try open {
      $0.onEvent = { event in
        guard case .sealed = event.kind, let database = held.withLock({ $0 }) else { return }
        if (try? database.save()) != nil { end.withLock { $0 = database.end } }
        isDone.signal()
      }
    }
    held.withLock { $0 = database }
    try database.save()
    try database.seal()
    #expect(isDone.wait(timeout: .now() + 900) == .success)
    #expect(end.withLock { $0 } == 2)
    held.withLock { $0 = nil }
  }

  @Test func `A description is one sentence that names the store and no subject`() {
    let kinds: [(StoreEvent.Kind, String, Bool)] = [
      (.opened(seconds: 0.0125), "/s was opened in 12.5 ms.", false),
      (
        .sealed(rowCount: 5, byteCount: 9, seconds: 1),
        "/s sealed 5 rows into 9 bytes in 1000.0 ms.",
        false
      ),
      (
        .compacted(segmentCount: 3, bytesBefore: 9, bytesAfter: 5, seconds: 0),
        "/s merged 3 segments of 9 bytes into 5 bytes in 0.0 ms.", false
      ),
      (.damaged(file: "f", offset: 7, reason: "wrong"), "/s/f is damaged at byte 7: wrong.", true),
      (
        .stalled(StoreEvent.Stall(name: "steps", subject: "ada", lag: 3, isStopped: true)),
        "/s has a delivery that is not acknowledged: steps, 3 behind, stopped.", true
      ),
      (.diskNearlyFull(availableByteCount: 4), "/s is on a disk with 4 bytes left.", true),
      (
        .streamServiceUnavailable(.lease, reason: "It is refused."),
        "/s cannot use the lease of its stream: It is refused.", true
      ),
      (
        .streamServiceAvailable(.reports), "/s can use the reports of replicas again.", false
      ),
    ]
    for (kind, text, isProblem) in kinds {
      let event = StoreEvent(path: "/s", kind: kind)
      #expect(event.description == text)
      #expect(event.isProblem == isProblem)
    }
  }
}
