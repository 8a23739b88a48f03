import Dispatch
import SampleLog
import SampleLogSimulation
import Testing

/// The notifications of a feed, and the pages that it then reads.
@Suite struct ChangeFeedTests {
  private let count = Locked(0)

  private func notifications() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }

  private func feed(
    _ database: Database, _ types: [String]? = ["heartRate"], after anchor: Anchor? = .beginning,
    where filter: RowFilter = RowFilter()
  ) throws -> ChangeFeed {
    let count = count
    let series = types.map { $0.map { database.key($0) } }
    return try ChangeFeed(
      database, after: anchor, of: SeriesSelection(series, where: filter)
    ) { count.withLock { $0 += 1 } }
  }

  private func values(_ page: ChangePage?) -> [Double]? { page?.changes.map(\.row.value) }

  @Test func `A feed is notified once for any number of commits`() throws {
    let database = try Database.inMemory()
    let feed = try feed(database)
    #expect(values(try feed.next()) == [])
    #expect(try feed.next() == nil)
    for value in 1...3 { try database.save(value: Double(value)) }
    #expect(notifications() == 1)
    #expect(values(try feed.next()) == [1, 2, 3])
    #expect(try feed.next() == nil)
    try database.save(value: 4)
    #expect(notifications() == 1)
    #expect(values(try feed.next()) == [4])
  }

  @Test func `Commits to other series do not notify a feed, but advance its anchor`() throws {
    let database = try Database.inMemory()
    try database.save(value: 1)
    let feed = try feed(database)
    _ = try feed.next()
    for _ in 0..<5 { try database.save("stepCount") }
    try database.save("heartRate", subject: "bob")
    #expect(notifications() == 0)
    #expect(!feed.isReady)
    #expect(try feed.next() == nil)
    try database.save(value: 2)
    #expect(notifications() == 1)
    #expect(feed.anchor == database.anchor(at: 7), "after the commits to other series")
    #expect(values(try feed.next()) == [2])
    #expect(feed.anchor == database.anchor)
  }

  @Test func `A commit during the reading of a page is on the next page`() throws {
    let database = try Database.inMemory()
    try database.save(value: 1)
    let hasSaved = Locked(false)
    var filter = RowFilter()
    filter.condition = { [unowned database] _, _ in
      let isFirst = hasSaved.withLock { hasSaved in
        defer { hasSaved = true }
        return !hasSaved
      }
      if isFirst { try database.save(value: 2) }
      return true
    }
    let feed = try feed(database, where: filter)
    #expect(values(try feed.next()) == [1])
    #expect(notifications() == 0, "a reader without a next page has read everything")
    #expect(values(try feed.next()) == [2])
    #expect(try feed.next() == nil)
  }

  @Test func `A page that a limit cut is followed by the rest`() throws {
    let database = try Database.inMemory()
    for value in 1...5 { try database.save(value: Double(value)) }
    let feed = try feed(database)
    var pages: [[Double]] = []
    while let page = try feed.next(limit: 2) { pages.append(page.changes.map(\.row.value)) }
    #expect(pages == [[1, 2], [3, 4], [5]])
  }

  @Test(arguments: [1, 2, 3, nil], [false, true])
  func `A filter applies to each change by itself`(limit: Int?, isSealed: Bool) throws {
    let database = try Database.inMemory()
    let ids = try (0..<20).map { try database.save(value: Double($0)) }
    for id in ids[10..<14] { try database.delete(id) }
    if isSealed { try database.seal() }
    var filter = RowFilter()
    filter.value = { _ in Bounds.from(5).intersection(.below(13)) }
    // Single rows that match lie between others that do not.
    filter.condition = { block, row in Int(block.value[row]) % 3 == 1 }
    let feed = try feed(database, where: filter)
    var found: [Double] = []
    while let page = try feed.next(limit: limit) { found += page.changes.map(\.row.value) }
    #expect(found == [7, 10])
    #expect(feed.anchor == database.anchor)
  }

  @Test func `A feed that begins at the end reads later commits`() throws {
    let database = try Database.inMemory()
    try database.save(value: 1)
    let feed = try feed(database, nil, after: nil)
    try database.save("stepCount", value: 2)
    #expect(values(try feed.next()) == [2])
  }

  @Test func `The changed series are those with a change that passes their filter`() throws {
    let database = try Database.inMemory()
    let (heart, steps, mass) = (
      database.key("heartRate"), database.key("stepCount"), database.key("bodyMass")
    )
    var high = RowFilter()
    high.value = { _ in .from(100) }
    let feed = try ChangeFeed(
      database, after: nil,
      of: SeriesSelection([heart: high, steps: high, mass: RowFilter()]))
    try database.save("heartRate", value: 60)
    try database.save("stepCount", value: 600)
    #expect(try feed.changedKeys() == [steps])
    #expect(try feed.changedKeys() == nil)
    let id = try database.save("bodyMass", value: 1)
    try database.delete(id)
    try database.save("heartRate", value: 120)
    #expect(try feed.changedKeys() == [heart, mass])
  }

  @Test func `A feed of all series reports one that has deletions only`() throws {
    let database = try Database.inMemory()
    let id = try database.save("bodyMass")
    let feed = try feed(database, nil, after: nil)
    try database.delete(id)
    #expect(try feed.changedKeys() == [database.key("bodyMass")])
  }

  @Test func `Closing the database notifies, and then reading throws`() throws {
    let database = try Database.inMemory()
    let feed = try feed(database)
    _ = try feed.next()
    try database.close()
    #expect(notifications() == 1)
    #expect(feed.isReady)
    #expect(throws: StoreError.closed) { try feed.next() }
    let late = try self.feed(database)
    #expect(throws: StoreError.closed) { try late.next() }
  }

  @Test
  func `Ending the observations notifies existing observers, and then reading throws the reason`()
    throws
  {
    let database = try Database.inMemory()
    let feed = try feed(database)
    _ = try feed.next()
    database.endObservations(StoreError.notAStore(path: "/gone"))
    #expect(notifications() == 1)
    #expect(throws: StoreError.notAStore(path: "/gone")) { try feed.next() }
    #expect(!database.isObserved)
    let late = try self.feed(database)
    #expect(throws: Never.self) { try late.next() }
  }

  @Test func `A database reports that observation begins again after a pause`() throws {
    let database = try Database.inMemory()
    let calls = Locked(0)
    database.whenObserved { calls.withLock { $0 += 1 } }
    for count in 1...3 {
      let first = database.observe { _ in }
      let second = database.observe([] as Set<SeriesKey>) { _ in }
      #expect(calls.withLock { $0 } == count)
      #expect(database.isObserved)
      first.cancel()
      second.cancel()
      #expect(!database.isObserved)
    }
  }

  @Test func `A feed that was cancelled or released is not notified`() throws {
    let database = try Database.inMemory()
    let feed = try feed(database)
    _ = try feed.next()
    #expect(database.observationCount == 1)
    feed.cancel()
    #expect(database.observationCount == 0)
    try database.save()
    #expect(notifications() == 0)
    do { _ = try self.feed(database, ["heartRate", "stepCount"]) }
    #expect(database.observationCount == 0)
  }

  @Test func `An anchor from which reading is impossible is refused at once`() throws {
    let database = try Database.inMemory()
    #expect(throws: StoreError.anchorFromTheFuture(anchor: 9, end: 0)) {
      try feed(database, after: Anchor(sequence: 9))
    }
    let other = try Database.inMemory()
    #expect(throws: StoreError.anchorOfAnotherStore) {
      try feed(database, after: other.anchor)
    }
    #expect(database.observationCount == 0)
  }

  @Test func `A notified reader misses no commit of concurrent writers`()
    throws
  {
    let database = try Database.inMemory()
    let wake = DispatchSemaphore(value: 0)
    let feed = try ChangeFeed(
      database, after: .beginning, of: SeriesSelection([database.key("heartRate")])
    ) { wake.signal() }
    let group = DispatchGroup()
    for saver in 0..<4 {
      DispatchQueue.global().async(group: group) {
        for number in 0..<200 {
          #expect(throws: Never.self) {
            try database.save(value: Double(saver * 1000 + number))
            try database.save("stepCount")
          }
        }
      }
    }
    var found: [Double] = []
    while found.count < 800 {
      while let page = try feed.next(limit: 7) { found += page.changes.map(\.row.value) }
      if found.count < 800 { #expect(wake.wait(timeout: .now() + 900) == .success) }
      if found.isEmpty { continue }
    }
    group.wait()
    #expect(Set(found).count == 800)
    #expect(found.count == 800)
  }
}
