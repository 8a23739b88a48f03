import FoundationEssentials
import SampleLog
import SampleLogSimulation
import Testing

/// Batches that are looked up in parallel parts, at the boundaries of the parts.
@Suite struct BatchSizeTests {
  private func batch(_ ids: [Identifier], _ database: Database) -> Batch {
    var batch = Batch()
    let key = database.key("heartRate")
    for id in ids {
      batch.add(subject: key.subject, type: key.type, id: id, start: 0, end: 0, value: 1)
    }
    return batch
  }

  private func ids(_ count: Int) -> [Identifier] { (0..<count).map { _ in Identifier(UUID()) } }

  @Test(arguments: [1, 2, 2047, 2048, 2049, 4095, 4096, 4097])
  func `An identifier that a segment contains is refused at every position of a batch`(count: Int)
    throws
  {
    let database = try Database.inMemory()
    let sealed = try database.save()
    try database.seal()
    for place in [0, count / 2, 2047, 2048, count - 1] where place < count {
      var ids = ids(count)
      ids[place] = sealed
      #expect(throws: StoreError.duplicate(sealed)) { try database.commit(batch(ids, database)) }
    }
    #expect(try database.commit(batch(ids(count), database)).sequences?.count == count)
    #expect(database.end == UInt64(count) + 1)
  }

  @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129])
  func `Deletions are stored in the order of the requests`(count: Int) throws {
    let database = try Database.inMemory()
    let ids = ids(count)
    try database.commit(batch(ids, database))
    if count % 2 == 0 { try database.seal() }
    var deletion = Batch()
    for id in ids.reversed() { deletion.delete(id) }
    // A repeated deletion counts once.
    deletion.delete(ids[0])
    #expect(try database.commit(deletion).sequences?.count == count)
    #expect(try database.values() == [])
    let page = try database.snapshot().changes(after: Anchor(sequence: UInt64(count)))
    #expect(page.changes.map(\.row.id) == ids.reversed())
    for place in [0, count / 2, count - 1] {
      #expect(throws: StoreError.notFound(ids[place])) {
        var batch = Batch()
        batch.delete(ids[place])
        try database.commit(batch)
      }
    }
  }

  @Test func `Deleted identifiers of a segment may be saved again, live ones may not`()
    throws
  {
    let database = try Database.inMemory()
    let sealed = ids(6)
    try database.commit(batch(sealed, database))
    try database.seal()
    for id in sealed.prefix(5) { try database.delete(id) }
    #expect(throws: StoreError.duplicate(sealed[5])) {
      try database.commit(batch(sealed, database))
    }
    try database.commit(batch(Array(sealed.prefix(5)), database))
    #expect(try database.values().count == 6)
  }

  @Test(arguments: [2, 3, 64, 1000, 4096, 5000])
  func `A duplicate identifier in a batch is detected at every position`(count: Int) throws {
    let database = try Database.inMemory()
    var random = Seeded(UInt64(count))
    for _ in 0..<5 {
      var ids = ids(count)
      let place = 1 + random.below(count - 1)
      ids[place] = ids[random.below(place)]
      #expect(throws: StoreError.duplicate(ids[place])) {
        try database.commit(batch(ids, database))
      }
    }
    #expect(database.end == 0)
  }
}
