import SampleLog
import Testing

/// Deletions that compaction may forget, and the readers that then expire.
@Suite struct RetentionTests {
  private let fileSystem = MemoryFileSystem()
  private let now = Clock()

  private final class Clock: Sendable {
    let time = Locked(0.0)
  }

  private func open() throws -> Database {
    let now = now
    return try Database.inMemory(fileSystem) { options in
      options.clock = { now.time.withLock { $0 } }
      options.deletionRetention = .seconds(100)
    }
  }

  private func pass(_ seconds: Double) { now.time.withLock { $0 += seconds } }

  @Test func `A deletion younger than the retention is kept`() throws {
    let database = try open()
    let id = try database.save()
    try database.delete(id)
    pass(99)
    #expect(try database.compact().samplesDropped == 1, "when it was sealed")
    let page = try database.snapshot().changes(after: Anchor(sequence: 1))
    #expect(page.changes.map(\.row.id) == [id])
    #expect(database.snapshot().floor == 0)
  }

  @Test func `An old deletion is forgotten, and anchors below it expire permanently`() throws {
    let database = try open()
    let id = try database.save()
    try database.save(value: 2)
    try database.delete(id)
    try database.save(value: 4)
    pass(101)
    #expect(try database.compact().deletionsForgotten == 1)
    for store in [database, try reopened(database)] {
      let snapshot = store.snapshot()
      #expect(snapshot.floor == 3)
      #expect(throws: StoreError.anchorExpired(anchor: 2, floor: 3)) {
        try snapshot.changes(after: Anchor(sequence: 2))
      }
      #expect(try snapshot.changes(after: Anchor(sequence: 3)).changes.map(\.row.value) == [4])
      #expect(try snapshot.changes(after: .beginning).changes.map(\.row.value) == [2, 4])
    }
  }

  private func reopened(_ database: Database) throws -> Database {
    try database.close()
    return try open()
  }

  @Test func `A deletion that a durable subscription needs is kept`() throws {
    let database = try open()
    let id = try database.save()
    try database.acknowledge("phone", through: 1)
    try database.delete(id)
    pass(1000)
    #expect(try database.compact().deletionsForgotten == 0)
    let again = try reopened(database)
    #expect(again.acknowledgements == ["phone": 1])
    #expect(try again.snapshot().changes(after: Anchor(sequence: 1)).changes.map(\.row.id) == [id])
    try again.acknowledge("phone", through: 3)
    #expect(try again.compact().deletionsForgotten == 1)
  }

  @Test func `A removed subscription stays removed and keeps no deletions`() throws {
    let database = try open()
    try database.acknowledge("phone", through: 0)
    try database.seal()
    let id = try database.save()
    try database.delete(id)
    try database.removeAcknowledgement("phone")
    pass(1000)
    try database.compact()
    #expect(try reopened(database).acknowledgements.isEmpty)
  }

  @Test func `An acknowledged anchor cannot go back or beyond the end`() throws {
    let database = try open()
    try database.save()
    try database.acknowledge("phone", through: 1)
    #expect(throws: StoreError.self) { try database.acknowledge("phone", through: 0) }
    #expect(throws: StoreError.self) { try database.acknowledge("phone", through: 99) }
  }

  @Test func `No file contains a deleted value after retention and compaction`() throws {
    let database = try open()
    let secret = 123_456.789_012_345
    let id = try database.save(value: secret)
    try database.save(value: 1)
    try database.seal()
    try database.delete(id)
    pass(1000)
    try database.compact()
    let pattern = withUnsafeBytes(of: secret.bitPattern.littleEndian) { Array($0) }
    for name in fileSystem.list("store") ?? [] {
      let file = try fileSystem.open("store/" + name, .read)
      let bytes = try #require(try file.bytes(file.size(), at: 0))
      let found = bytes.indices.contains { bytes[$0...].starts(with: pattern) }
      #expect(!found, "\(name)")
    }
    #expect(try database.snapshot().changes(after: .beginning).changes.map(\.row.value) == [1])
  }

  @Test func `A new subscription cannot begin below forgotten deletions`() throws {
    let database = try open()
    let id = try database.save()
    try database.delete(id)
    pass(1000)
    try database.compact()
    #expect(database.snapshot().floor == 2)
    #expect(throws: StoreError.anchorExpired(anchor: 1, floor: 2)) {
      try database.acknowledge("phone", through: 1)
    }
    try database.acknowledge("phone", through: 2)
  }

  @Test func `An acknowledgement during a compaction does not raise its floor`() throws {
    let hook = Locked<(() -> Void)?>(nil)
    let now = now
    let database = try Database.inMemory(fileSystem) { options in
      options.deletionRetention = .seconds(100)
      options.clock = {
        // Compaction reads the clock after it takes its snapshot and before it decides the floor.
        hook.withLock { hook in
          defer { hook = nil }
          return hook
        }?()
        return now.time.withLock { $0 }
      }
    }
    let id = try database.save()
    try database.acknowledge("phone", through: 1)
    try database.delete(id)
    try database.seal()
    pass(1000)
    hook.withLock { hook in
      hook = { #expect(throws: Never.self) { try database.acknowledge("phone", through: 3) } }
    }
    // A power cut could undo the acknowledgement, so the deletion is still needed.
    #expect(try database.compact().deletionsForgotten == 0)
    #expect(database.acknowledgements == ["phone": 3])
    #expect(try database.compact().deletionsForgotten == 1)
  }

  @Test
  func `Small segments are merged into a full one, and then compaction writes nothing`() throws {
    let database = try Database.inMemory(fileSystem) { $0.segmentRowCount = 4 }
    for value in 0..<8 {
      try database.save(value: Double(value))
      if value % 2 == 1 { try database.seal() }
    }
    try database.compact()
    #expect(try database.statistics().segments.map(\.rowCount) == [4, 4])
    let before = fileSystem.list("store")?.sorted()
    #expect(try database.compact().segmentsBefore == 0)
    #expect(fileSystem.list("store")?.sorted() == before)
  }

  @Test func `A cancelled compaction changes nothing`() throws {
    let database = try open()
    for value in 0..<3 {
      try database.save(value: Double(value))
      try database.seal()
    }
    let before = fileSystem.list("store")?.sorted()
    #expect(throws: StoreError.cancelled) { try database.compact(isCancelled: { true }) }
    #expect(fileSystem.list("store")?.sorted() == before)
    #expect(try database.values() == [0, 1, 2])
  }

  @Test func `An anchor beyond the end is an error`() throws {
    let database = try open()
    #expect(throws: StoreError.anchorFromTheFuture(anchor: 1, end: 0)) {
      try database.snapshot().changes(after: Anchor(sequence: 1))
    }
  }
}
