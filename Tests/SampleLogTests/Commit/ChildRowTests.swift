import SampleLog
import Testing

/// Child rows: they are saved with their parent, deleted with it, and not counted as samples.
@Suite struct ChildRowTests {
  private let database: Database

  init() throws { database = try Database.inMemory { $0.expiryBatchCount = 10 } }

  private var links: Symbol { database.symbols.intern(ChildType.name("link", of: "walk")) }

  private func payload(version: Int64? = nil) -> Extras {
    var extras = Extras()
    extras.payloadKind = 9
    extras.payload = [1]
    if let version {
      extras.syncIdentifier = [7]
      extras.syncVersion = version
    }
    return extras
  }

  /// Adds a walk of one hour.
  @discardableResult
  private func walk(
    _ start: Double, version: Int64? = nil, into batch: inout Batch,
    id: Identifier = Identifier(), subject: String = "ada"
  ) -> Identifier {
    let number = batch.intern(extras: payload(version: version).encoded)
    batch.add(
      to: database.key("walk", subject: subject), id: id, start: start, end: start + 3600, value: 5,
      extras: number)
    return id
  }

  /// Adds a child row of a walk.
  private func link(
    _ value: Double, to walk: Identifier, _ start: Double, into batch: inout Batch,
    subject: String = "ada", length: Double = 3600
  ) {
    var extras = Extras()
    extras.memberOf = [walk]
    let number = batch.intern(extras: extras.encoded)
    batch.add(
      subject: database.symbols.intern(subject), type: links, id: Identifier(), start: start,
      end: start + length, value: value, extras: number)
  }

  private func save(_ start: Double, links: [Double], version: Int64? = nil) throws -> Identifier {
    var batch = Batch()
    let id = walk(start, version: version, into: &batch)
    for value in links { link(value, to: id, start, into: &batch) }
    try database.commit(batch)
    return id
  }

  /// The values of the child rows of all live walks.
  private func linkValues() throws -> [Double] {
    let key = SeriesKey(subject: database.symbols.intern("ada"), type: links)
    return try database.snapshot().select([key]).map(\.value).sorted()
  }

  private func children(_ id: Identifier) throws -> [Double] {
    let snapshot = database.snapshot()
    let parent = try #require(try snapshot.row(id))
    return try snapshot.children(of: parent).map(\.value)
  }

  @Test(arguments: [false, true])
  func `A parent leads to its own child rows, and not to those of another with equal dates`(
    isSealed: Bool
  ) throws {
    let first = try save(0, links: [1, 2])
    let second = try save(0, links: [3])
    _ = try save(10, links: [4])
    var batch = Batch()
    link(5, to: first, 0, into: &batch)
    try database.commit(batch)
    if isSealed { try database.seal() }
    #expect(try children(first) == [1, 2, 5])
    #expect(try children(second) == [3])
  }

  @Test(arguments: [false, true])
  func `Child rows are deleted in the commit that deletes their parent`(isSealed: Bool) throws {
    let first = try save(0, links: [1, 2])
    _ = try save(0, links: [3])
    if isSealed { try database.seal() }
    let end = database.end
    try database.delete(first)
    #expect(database.end == end + 3, "a walk and two links in one commit")
    #expect(try linkValues() == [3])
    try database.checkInvariants()
  }

  @Test(arguments: [false, true])
  func `Child rows of a parent without a payload are deleted if their childType requires it`(
    isSealed: Bool
  ) throws {
    func save(_ childType: String, of parent: Identifier, into batch: inout Batch) {
      var extras = Extras()
      extras.memberOf = [parent]
      batch.add(
        to: SeriesKey(
          subject: database.symbols.intern("ada"),
          type: database.symbols.intern(ChildType.name(childType, of: "heartRate"))),
        start: 0, value: 1, extras: batch.intern(extras: extras.encoded))
    }
    func values(_ childType: String) throws -> Int {
      let type = database.symbols.intern(ChildType.name(childType, of: "heartRate"))
      return try database.snapshot().select(
        [SeriesKey(subject: database.symbols.intern("ada"), type: type)]
      ).count
    }
    let beats = [Identifier(), Identifier()]
    var batch = Batch()
    for id in beats {
      batch.add(to: database.key("heartRate", subject: "ada"), id: id, start: 0, value: 60)
      save(ChildType.anyParent + "note", of: id, into: &batch)
    }
    try database.commit(batch)
    if isSealed { try database.seal() }
    try database.delete(beats[0])
    #expect(try values(ChildType.anyParent + "note") == 1)
    #expect(try database.delete(where: SeriesSelection()) == 1)
    #expect(try values(ChildType.anyParent + "note") == 0)
    try database.checkInvariants()
  }

  @Test func `Deleting a selection deletes each child row once`()
    throws
  {
    _ = try save(0, links: [1, 2])
    _ = try save(5, links: [3])
    let both = [
      database.key("walk"), SeriesKey(subject: database.symbols.intern("ada"), type: links),
    ]
    var early = RowFilter()
    early.start = .below(5)
    #expect(try database.delete(where: SeriesSelection([both[0]], where: early)) == 1)
    #expect(try linkValues() == [3])
    let end = database.end
    #expect(try database.delete(where: SeriesSelection(both)) == 2)
    #expect(database.end == end + 2, "a walk and its link")
    #expect(try linkValues() == [])
    try database.checkInvariants()
  }

  @Test func `Deleting everything deletes each row once`() throws {
    _ = try save(0, links: [1, 2])
    try database.save("heartRate", value: 60)
    #expect(try database.delete(where: SeriesSelection()) == 2)
    #expect(try linkValues() == [])
    try database.checkInvariants()
  }

  @Test func `Expiry deletes the child rows of old parents only`() throws {
    for start in 0..<30 { _ = try save(Double(start), links: [Double(start)]) }
    let late = try save(1_000_000, links: [99])
    let result = try database.expire([ExpiryRule(endingBefore: 500_000)])
    #expect(result.sampleCount == 30)
    #expect(result.series.map(\.type) == ["walk"])
    #expect(try linkValues() == [99])
    #expect(try children(late) == [99])
  }

  @Test func `Child rows are moved and erased with their parent and not counted`() throws {
    let first = try save(0, links: [1, 2])
    try database.save("heartRate", value: 60)
    let (ada, bob) = (database.symbols.intern("ada"), database.symbols.intern("bob"))
    #expect(try database.move(ada, to: bob, isNew: true).sampleCount == 2)
    #expect(try children(first).sorted() == [1, 2])
    #expect(try linkValues() == [])
    #expect(try database.erase(bob).sampleCount == 2)
    #expect(try database.snapshot().row(first) == nil)
  }

  @Test func `A deletion moves without those of the child rows`() throws {
    try database.delete(try save(0, links: [1, 2]))
    #expect(database.end == 6, "three rows and their deletions")
    let (ada, bob) = (database.symbols.intern("ada"), database.symbols.intern("bob"))
    let result = try database.move(ada, to: bob, isNew: true)
    #expect(result.sequence == 8, "the deletion of the walk, and the record of the move")
  }

  @Test func `A newer version deletes the child rows of the one it replaces`() throws {
    _ = try save(0, links: [1, 2], version: 1)
    let new = try save(7, links: [3], version: 2)
    #expect(try linkValues() == [3])
    #expect(try children(new) == [3])
  }

  @Test func `Child rows of an outdated version are skipped with it`() throws {
    _ = try save(0, links: [1], version: 2)
    _ = try save(0, links: [2, 3], version: 1)
    #expect(try linkValues() == [1])
  }

  @Test func `A child row needs an existing parent of the same time and subject`()
    throws
  {
    let id = try save(0, links: [])
    var missing = Batch()
    let unknown = Identifier()
    link(1, to: unknown, 0, into: &missing)
    #expect(throws: StoreError.notFound(unknown)) { try database.commit(missing) }
    let wrong = StoreError.invalid("A row that belongs to another has its subject and dates.")
    for (start, length, subject) in [(1, 3600, "ada"), (0, 1, "ada"), (0, 3600, "bob")] {
      var batch = Batch()
      link(1, to: id, Double(start), into: &batch, subject: subject, length: Double(length))
      #expect(throws: wrong) { try database.commit(batch) }
      var both = Batch()
      let new = walk(0, into: &both)
      link(1, to: new, Double(start), into: &both, subject: subject, length: Double(length))
      #expect(throws: wrong) { try database.commit(both) }
    }
    #expect(try linkValues() == [])
  }

  @Test
  func `A child row saved while its parent is being deleted is deleted, too, or refused`() throws {
    for round in 0..<20 {
      let id = try save(Double(round), links: [1])
      let start = Double(round)
      // The deletion is prepared before the link is committed.
      var isOvertaken = false
      try database.commit(making: { snapshot in
        if !isOvertaken {
          isOvertaken = true
          var batch = Batch()
          link(2, to: id, start, into: &batch)
          try database.commit(batch)
        }
        var batch = Batch()
        batch.delete(id)
        return batch
      })
      #expect(try linkValues() == [])
      var late = Batch()
      link(3, to: id, start, into: &late)
      #expect(throws: StoreError.notFound(id)) { try database.commit(late) }
    }
    try database.checkInvariants()
  }

  @Test func `A batch is prepared again if a parent that it adds to is deleted meanwhile`() throws {
    let id = try save(0, links: [])
    var calls = 0
    #expect(throws: StoreError.notFound(id)) {
      try database.commit(making: { _ in
        calls += 1
        if calls == 1 { try database.delete(id) }
        var batch = Batch()
        link(1, to: id, 0, into: &batch)
        return batch
      })
    }
    #expect(try linkValues() == [])
  }

  @Test(arguments: [false, true])
  func `Statistics count samples, not child rows`(isSealed: Bool) throws {
    let first = try save(0, links: [1, 2])
    _ = try save(0, links: [3])
    if isSealed { try database.seal() }
    try database.delete(first)
    let figures = try database.statistics()
    #expect(figures.sampleCount == 1)
    #expect(figures.deletionCount == 1)
    #expect(figures.series.map(\.type) == ["walk"])
  }

  @Test func `Child rows survive compaction and reopening until they are deleted`() throws {
    let disk = MemoryFileSystem()
    let database = try Database.inMemory(disk)
    let suite = try ChildRowTests(database)
    let kept = try suite.save(0, links: [1])
    let gone = try suite.save(0, links: [2])
    try database.seal()
    try database.delete(gone)
    try database.compact()
    try database.close()
    let again = try ChildRowTests(try Database.inMemory(disk))
    #expect(try again.children(kept) == [1])
    #expect(try again.linkValues() == [1])
    try again.database.checkInvariants()
  }

  private init(_ database: Database) throws { self.database = database }

  @Test(arguments: [false, true])
  func `A batch cannot add to a row that it deletes`(isSealed: Bool) throws {
    let id = try save(0, links: [1])
    let other = try save(7200, links: [2])
    if isSealed { try database.seal() }
    let end = database.end
    var batch = Batch()
    link(3, to: id, 0, into: &batch)
    batch.delete(id)
    #expect(throws: StoreError.notFound(id)) { try database.commit(batch) }
    #expect(database.end == end)
    #expect(try linkValues() == [1, 2])
    // Adding to one parent and deleting another is one commit, and so is replacing one with its
    // rows.
    batch = Batch()
    link(4, to: other, 7200, into: &batch)
    batch.delete(id)
    try database.commit(batch)
    #expect(try linkValues() == [2, 4])
    batch = Batch()
    link(5, to: walk(9000, into: &batch), 9000, into: &batch)
    batch.delete(other)
    try database.commit(batch)
    #expect(try linkValues() == [5])
  }

  @Test func `A batch cannot add to a version that it replaces`() throws {
    let old = try save(0, links: [1], version: 1)
    var batch = Batch()
    let new = walk(0, version: 2, into: &batch)
    link(2, to: old, 0, into: &batch)
    #expect(throws: StoreError.notFound(old)) { try database.commit(batch) }
    #expect(try linkValues() == [1])
    batch = Batch()
    walk(0, version: 2, into: &batch, id: new)
    link(3, to: new, 0, into: &batch)
    try database.commit(batch)
    #expect(try linkValues() == [3])
  }
}
