import SampleLog
import Testing

/// Durable subscriptions as clients see them.
@Suite struct SubscriptionTests {
  let files = MemoryFileSystem()

  private func open() throws -> Database {
    try Database.inMemory(files) { $0.deletionRetention = .seconds(-1) }
  }

  @Test func `A subscription is absent, then active, and keeps its position`() throws {
    let database = try open()
    let mirror = database.subscription("mirror")
    #expect(mirror.state == .absent && mirror.position == nil && database.subscriptions.isEmpty)
    for value in 1...3 { try database.save("weight", start: 0, value: Double(value)) }
    let page = try database.snapshot().changes(after: .beginning, limit: 2)
    #expect(try mirror.acknowledge(page.anchor) == mirror.position)
    // The acknowledgement takes a sequence number, too.
    #expect(mirror.state == .active(lag: database.end - 2))
    #expect(mirror.position == database.anchor(at: 2))
    let end = database.anchor
    try database.close()

    let again = try open()
    let known = try #require(again.subscriptions.first)
    #expect(again.subscriptions.count == 1 && known.name == "mirror")
    #expect(known.position == again.anchor(at: 2))
    let rest = try again.snapshot().changes(after: try #require(known.position))
    #expect(rest.changes.map(\.row.value) == [3])
    try known.acknowledge(rest.anchor)
    #expect(known.position == end)
    try known.remove()
    #expect(known.state == .absent && again.subscriptions.isEmpty)
    try known.remove()
  }

  @Test func `The lag of a subscription grows with each commit`() throws {
    let database = try open()
    let mirror = database.subscription("mirror")
    try mirror.acknowledge(.beginning)
    #expect(mirror.position == database.anchor(at: 0))
    #expect(mirror.state == .active(lag: 1))
    try database.save("weight", start: 0, value: 1)
    #expect(mirror.state == .active(lag: 2))
  }

  @Test func `An anchor of another store is not acknowledged`() throws {
    let database = try open()
    let other = try Database.inMemory()
    for store in [database, other] { try store.save("weight", start: 0, value: 1) }
    let mirror = database.subscription("mirror")
    #expect(throws: StoreError.anchorOfAnotherStore) { try mirror.acknowledge(other.anchor) }
    #expect(mirror.state == .absent)
    let archived = try #require(Anchor(encoded: other.anchor.encoded))
    #expect(throws: StoreError.anchorOfAnotherStore) { try mirror.acknowledge(archived) }
    try mirror.acknowledge(database.anchor)
    #expect(throws: StoreError.anchorOfAnotherStore) { try mirror.acknowledge(other.anchor) }
    #expect(mirror.position == database.anchor(at: 1))
  }

  @Test func `An anchor that goes back or lies beyond the end is not acknowledged`() throws {
    let database = try open()
    for value in 1...3 { try database.save("weight", start: 0, value: Double(value)) }
    let mirror = database.subscription("mirror")
    try mirror.acknowledge(database.anchor(at: 2))
    for sequence in [1, 90] as [UInt64] {
      do {
        try mirror.acknowledge(database.anchor(at: sequence))
        Issue.record("\(sequence) was acknowledged")
      } catch StoreError.invalid {}
    }
    #expect(mirror.position == database.anchor(at: 2))
  }

  @Test func `A deletion is kept until it is acknowledged`() throws {
    let database = try open()
    let id = try database.save("weight", start: 0, value: 1)
    let mirror = database.subscription("mirror")
    let position = try mirror.acknowledge(database.anchor)
    try database.delete(id)
    try database.seal()
    try database.compact()
    let page = try database.snapshot().changes(after: position)
    #expect(page.changes.map(\.kind) == [.deletion])
    try mirror.acknowledge(page.anchor)
    #expect(try database.compact().deletionsForgotten == 1)
  }

  @Test func `A subscription copies a store page by page`() throws {
    let database = try open()
    for value in 1...3 { try database.save("weight", start: 0, value: Double(value)) }
    var copied: [Double] = []
    func copy(_ changes: ChangeList) throws { copied += changes.map(\.row.value) }

    let mirror = database.subscription("mirror")
    let position = try mirror.position ?? mirror.acknowledge(.beginning)
    let feed = try ChangeFeed(database, after: position)
    while let page = try feed.next(limit: 1000) {
      try copy(page.changes)
      try mirror.acknowledge(page.anchor)
    }
    #expect(copied == [1, 2, 3])
    #expect(try #require(mirror.position).sequence >= 3)
  }
}
