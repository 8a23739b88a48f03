@testable import SampleLog
import FoundationEssentials
import Testing

/// Names, numbers and times that look equal or are invalid.
@Suite struct NameTests {
  // The same text to Swift, and two names to a store.
  private let composed = "Ren\u{e9}e"
  private let decomposed = "Rene\u{301}e"

  @Test func `An expiry rule names one of two people whose names are equal as text`() throws {
    let database = try Database.inMemory()
    try database.save(subject: composed, value: 1)
    try database.save(subject: decomposed, value: 2)
    try database.expire([ExpiryRule(subject: decomposed, endingBefore: 100)])
    let left = try database.snapshot().select(
      [
        database.key("heartRate", subject: composed),
        database.key("heartRate", subject: decomposed),
      ],
      where: RowFilter(), order: .start(ascending: true)
    ).map(\.value)
    #expect(left == [1])
  }

  @Test func `Subscriptions whose names are equal as text have separate positions`() throws {
    let database = try Database.inMemory { $0.deletionRetention = .seconds(0) }
    for _ in 0..<5 { try database.delete(database.save()) }
    try database.acknowledge(composed, through: 8)
    try database.acknowledge(decomposed, through: 0)
    #expect(database.acknowledgements == [composed: 0])
    try database.seal()
    #expect(try database.compact().deletionsForgotten == 0)
    try database.removeAcknowledgement(decomposed)
    #expect(database.acknowledgements == [composed: 8])
  }

  @Test func `Deletions made while the clock was ahead are forgotten like others`()
    throws
  {
    let now = Locked(1_000_000.0)
    let database = try Database.inMemory {
      $0.deletionRetention = .seconds(1000)
      $0.clock = { now.withLock { $0 } }
    }
    for time in [1_000_000, 9e15, 1_000_100] {
      now.withLock { $0 = time }
      try database.delete(database.save())
      try database.seal()
    }
    now.withLock { $0 = 1_001_099 }
    #expect(try database.compact().deletionsForgotten == 1)
    now.withLock { $0 = 1_001_101 }
    try database.save()
    #expect(try database.compact().deletionsForgotten == 2)
  }

  @Test func `Symbols and extras that the database did not issue are refused`() throws {
    let database = try Database.inMemory()
    let known = database.symbols.intern("ada")
    var versioned = Extras()
    versioned.syncIdentifier = [1]
    for column in 0..<7 {
      var batch = Batch()
      let extras = column == 6 ? batch.intern(extras: versioned.encoded) : 0
      func symbol(_ number: Int) -> Symbol { number == column ? 1000 : known }
      batch.add(
        subject: column == 6 ? 1000 : symbol(0), type: symbol(1), id: Identifier(UUID()), start: 0,
        end: 0, value: 0, unit: symbol(2), source: symbol(3), device: symbol(4),
        extras: column == 5 ? 1 : extras)
      #expect {
        try database.commit(batch)
      } throws: { error in
        if case StoreError.invalid = error { true } else { false }
      }
    }
    try database.save(value: 1)
    #expect(try database.values() == [1])
  }

  @Test func `A disk with little space takes an expiry in smaller commits`() throws {
    let disk = HookedFileSystem()
    var length = 0
    disk.beforeReserving = { _, wanted in length = wanted }
    let database = try Database(path: "store", options: testOptions(), fileSystem: disk)
    let key = database.key("heartRate")
    var batch = Batch()
    for row in 0..<10_000 {
      batch.add(
        subject: key.subject, type: key.type, id: Identifier(UUID()), start: Double(row % 90),
        end: Double(row % 90), value: Double(row))
    }
    try database.commit(batch)
    var step = 0
    disk.beforeReserving = { path, wanted in
      guard wanted - length <= step else {
        throw StoreError.inputOutput(operation: "reserve", path: path, code: 28, message: "full")
      }
      length = wanted
    }
    // Space that is already reserved stays usable.
    var isFull = false
    while !isFull {
      do { try database.save(start: 200) } catch { isFull = true }
    }
    step = 64 << 10
    let result = try database.expire([ExpiryRule(endingBefore: 100)])
    #expect(result.series.map(\.sampleCount) == [10_000])
    #expect(result.commitCount > 2)
  }
}
