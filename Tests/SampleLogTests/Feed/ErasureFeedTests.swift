import Testing

@testable import SampleLog

/// Feeds and erasures: the subject's feed ends, feeds of everything report it once, others do not.
@Suite struct ErasureFeedTests {
  private final class Calls: @unchecked Sendable {
    var count = 0
  }

  private let database: Database

  init() throws {
    database = try Database.inMemory()
    for number in 0..<10 {
      for subject in ["ada", "bob"] {
        try database.save(subject: subject, start: Double(number), value: Double(number))
      }
    }
  }

  private func selection(_ subjects: String...) -> SeriesSelection {
    SeriesSelection(subjects.map { database.key("heartRate", subject: $0) })
  }

  @discardableResult
  private func erase(_ subject: String) throws -> UInt64 {
    try #require(try database.erase(database.symbols.intern(subject)).sequence)
  }

  @Test func `A feed of the subject is notified and ends with the erasure error`() throws {
    let calls = Calls()
    let feed = try ChangeFeed(database, after: .beginning, of: selection("ada")) {
      calls.count += 1
    }
    while try feed.next(limit: 3) != nil {}
    let anchor = feed.anchor
    let sequence = try erase("ada")
    #expect(calls.count == 1)
    for _ in 0..<2 {
      #expect(throws: StoreError.erased(subject: "ada", sequence: sequence)) { try feed.next() }
      #expect(feed.anchor == anchor)
    }
    // A feed that is stored and resumed later also ends, and so does one of several subjects.
    for series in [selection("ada"), selection("bob", "ada")] {
      let resumed = try ChangeFeed(database, after: anchor, of: series)
      #expect(throws: StoreError.erased(subject: "ada", sequence: sequence)) {
        try resumed.next()
      }
    }
    #expect(throws: StoreError.erased(subject: "ada", sequence: sequence)) {
      try ChangeFeed(database, after: anchor, of: selection("ada")).nextChangedSeries()
    }
    // From the beginning, a feed reads the later samples.
    try database.save(start: 3, value: 33)
    let fresh = try database.snapshot().changes(after: .beginning, of: selection("ada"))
    #expect(fresh.changes.map(\.row.value) == [33])
    let next = try database.snapshot().changes(after: fresh.anchor, of: selection("ada"))
    #expect(next.changes.isEmpty)
  }

  @Test func `A subject with observers and no data ends their feeds`() throws {
    let calls = Calls()
    let key = database.key("stepCount", subject: "eve")
    try database.set("order", of: key, to: [1])
    let feed = try ChangeFeed(
      database, after: nil, of: SeriesSelection([database.key("bodyMass", subject: "eve")])
    ) { calls.count += 1 }
    #expect(try feed.next() != nil)
    try erase("eve")
    #expect(calls.count == 1)
    #expect(throws: StoreError.self) { try feed.next() }
  }

  @Test func `A feed of another person is neither notified nor advanced`() throws {
    let calls = Calls()
    let feed = try ChangeFeed(database, after: .beginning, of: selection("bob")) {
      calls.count += 1
    }
    while try feed.next(limit: 3) != nil {}
    let anchor = feed.anchor
    try erase("ada")
    #expect(calls.count == 0)
    #expect(feed.anchor == anchor)
    #expect(try feed.next() == nil)
    try database.save(subject: "bob", start: 50, value: 50)
    #expect(calls.count == 1)
    let page = try #require(try feed.next())
    #expect(page.changes.map(\.row.value) == [50])
    #expect(page.erasures.isEmpty)
  }

  @Test(arguments: [1, 2, 3, 100])
  func `A feed of everything reports an erasure once, before later changes`(limit: Int) throws {
    let calls = Calls()
    let feed = try ChangeFeed(database, after: .beginning) { calls.count += 1 }
    /// A copy that applies the feed.
    var copy: [String: [Double]] = [:]
    var erasures: [Erasure] = []
    func follow() throws {
      while let page = try feed.next(limit: limit) {
        for erasure in page.erasures {
          copy[database.symbols.text(erasure.subject)] = nil
          erasures.append(erasure)
        }
        for change in page.changes {
          let name = database.symbols.text(change.row.subject)
          #expect(change.kind == .sample)
          copy[name, default: []].append(change.row.value)
        }
      }
    }
    try follow()
    #expect(erasures.isEmpty)
    try database.save(start: 98, value: 98)
    try database.save(subject: "bob", start: 99, value: 99)
    let sequence = try erase("ada")
    try database.save(start: 100, value: 100)
    try database.save(subject: "bob", start: 101, value: 101)
    try follow()
    #expect(erasures.map(\.sequence) == [sequence])
    #expect(copy == ["ada": [100], "bob": (0..<10).map(Double.init) + [99, 101]])
    _ = try database.compact()
    try follow()
    #expect(erasures.count == 1)
    #expect(calls.count > 0)
  }

  @Test func `An initial load reports erasures of subjects that it may have read`() throws {
    let first = try database.snapshot().changes(after: .beginning, limit: 5)
    #expect(first.changes.contains { $0.row.key == database.key("heartRate") })
    let sequence = try erase("ada")
    let rest = try database.snapshot().changes(after: first.anchor)
    #expect(rest.erasures.map(\.sequence) == [sequence])
    let fresh = try database.snapshot().changes(after: .beginning, limit: 5)
    let end = try database.snapshot().changes(after: fresh.anchor)
    #expect(fresh.erasures.isEmpty && end.erasures.isEmpty)
    let bob = database.key("heartRate", subject: "bob")
    #expect((Array(fresh.changes) + end.changes).allSatisfy { $0.row.key == bob })
  }

  @Test func `The key of an erasure ends with the subject's name`() {
    let key = SubjectSetting.erasure.prefix([1, 2])
    #expect(Erasure.subject(ofKey: key) == [1, 2] && Erasure.subject(ofKey: key + [0]) == nil)
  }

  @Test func `A feed of everything reports the erasure of a subject that had only settings`()
    throws
  {
    try database.set("order", of: database.key("stepCount", subject: "eve"), to: [1])
    let calls = Calls()
    let feed = try ChangeFeed(database, after: nil) { calls.count += 1 }
    #expect(try feed.next() != nil)
    let sequence = try erase("eve")
    #expect(calls.count == 1)
    #expect(try feed.next()?.erasures.map(\.sequence) == [sequence])
  }
}
