import SampleLog
import Testing

/// Every database refuses symbols and rows of another one.
@Suite struct ForeignNameTests {
  let own: Database
  let other: Database

  init() throws {
    own = try Database.inMemory()
    other = try Database.inMemory()
    // The numbers are equal, and the names are not.
    for (database, subject) in [(own, "ada"), (other, "bob")] {
      var batch = database.makeBatch()
      batch.add(to: database.series(subject: subject, type: "heartRate"), start: 0, value: 60)
      try database.commit(batch)
    }
  }

  private func isInvalid(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch StoreError.invalid {
      return true
    } catch {
      return false
    }
  }

  @Test func `Equal numbers in two databases mean different names`() throws {
    let (one, two) = (own.snapshot().allSeries, other.snapshot().allSeries)
    #expect(one.map(\.subject.number) == two.map(\.subject.number) && one != two)
    #expect(try own.snapshot().text(one[0].subject) == "ada")
    #expect(try other.snapshot().text(two[0].subject) == "bob")
    #expect(isInvalid { _ = try own.snapshot().text(two[0].subject) })
  }

  @Test(arguments: ["batch", "series", "row's series", "unit", "source", "device", "one of many"])
  func `A batch with a symbol of another database is not committed`(part: String) throws {
    let series = own.series(subject: "ada", type: "heartRate")
    let foreign = other.series(subject: "bob", type: "heartRate")
    let row = try #require(try other.snapshot().newest(foreign))
    var batch = part == "batch" ? other.makeBatch() : own.makeBatch()
    let name = other.name("count/min")
    switch part {
    case "batch": batch.add(to: foreign, start: 1, value: 61)
    case "series": batch.add(to: foreign, start: 1, value: 61)
    case "row's series": batch.add(to: row.series, start: 1, value: 61)
    case "unit": batch.add(to: series, start: 1, value: 61, unit: name)
    case "source": batch.add(to: series, start: 1, value: 61, source: name)
    case "device": batch.add(to: series, start: 1, value: 61, device: name)
    default:
      for value in 0..<100 {
        batch.add(to: value == 50 ? foreign : series, start: 1, value: Double(value))
      }
    }
    let before = own.end
    #expect(isInvalid { try own.commit(batch) })
    #expect(own.end == before)
    #expect(try own.snapshot().select(own.snapshot().allSeries).count == 1)
  }

  @Test func `A batch for a database that was reopened is not committed`() throws {
    let files = MemoryFileSystem()
    let first = try Database.inMemory(files)
    var batch = first.makeBatch()
    batch.add(to: first.series(subject: "ada", type: "heartRate"), start: 0, value: 60)
    try first.commit(batch)
    try first.close()
    #expect(isInvalid { try Database.inMemory(files).commit(batch) })
  }

  @Test func `Reading and erasing refuse series and names of another database`() throws {
    let foreign = other.series(subject: "bob", type: "heartRate")
    let mixed = [own.series(subject: "ada", type: "heartRate"), foreign]
    let snapshot = own.snapshot()
    let reads: [() throws -> Void] = [
      { _ = try snapshot.select([foreign]) }, { _ = try snapshot.select(mixed) },
      { _ = try snapshot.select(SeriesSelection([foreign: RowFilter()])) },
      { try snapshot.stream([foreign]) { _ in true } },
      { try snapshot.scan([foreign], reading: .value) { _ in true } },
      { _ = try snapshot.newest(foreign) }, { _ = try snapshot.row(foreign, syncIdentifier: [1]) },
      { _ = try snapshot.sourceNames(of: SeriesSelection([foreign])) },
      { _ = try snapshot.changes(after: .beginning, in: [foreign]) },
      { _ = try snapshot.aggregate(AggregateQuery(type: foreign.type)) },
      {
        _ = try snapshot.aggregate(
          AggregateQuery(type: own.name("heartRate"), subjects: [foreign.subject]))
      },
      { _ = try snapshot.aggregate(foreign, boundaries: [0, 1], unit: .empty) },
      { _ = try ChangeFeed(own, after: nil, of: SeriesSelection([foreign])) },
      { _ = try own.observe([foreign]) { _ in } },
      { try own.delete(where: SeriesSelection([foreign])) },
      { try own.erase(foreign.subject) },
      { try own.move(own.name("ada"), to: foreign.subject, isNew: false) },
    ]
    for (number, read) in reads.enumerated() { #expect(isInvalid(read), "\(number)") }
    #expect(try snapshot.select(snapshot.allSeries).count == 1)
  }

  @Test func `The empty name is valid in every database`() throws {
    #expect(own.name("") == other.name("") && own.name("") == .empty)
    var batch = own.makeBatch()
    batch.add(
      to: own.series(subject: "ada", type: "heartRate"), start: 1, value: 61, unit: .empty,
      source: other.name(""))
    try own.commit(batch)
    let row = try #require(try own.snapshot().newest(own.series(subject: "ada", type: "heartRate")))
    #expect(row.value == 61 && row.unit == .empty && row.source == .empty)
  }

  @Test func `A database accepts the symbols of its own rows`() throws {
    let series = own.series(subject: "ada", type: "heartRate")
    let observed = Locked<Set<Series>>([])
    let observation = try own.observe([series]) { notice in
      observed.withLock { $0 = notice.touchedSeries }
    }
    let feed = try ChangeFeed(own, after: nil, of: SeriesSelection([series]))
    #expect(try feed.nextChangedSeries() == [])
    var batch = own.makeBatch()
    batch.add(to: series, start: 1, value: 61, unit: own.name("count/min"))
    try own.commit(batch)
    observation.cancel()
    #expect(observed.withLock { $0 } == [series])
    #expect(try feed.nextChangedSeries() == [series])
    let row = try #require(try own.snapshot().newest(series))
    #expect(row.series == series && row.unit == own.name("count/min"))
    let groups = try own.snapshot().aggregate(
      AggregateQuery(type: series.type, subjects: [row.series.subject]))
    #expect(Set(groups.map(\.unitName)) == [.empty, row.unit])
    #expect(try own.snapshot().subjects().map(\.name) == [series.subject])
    #expect(try own.snapshot().sourceNames(of: SeriesSelection([row.series])) == [.empty])
    try own.erase(series.subject)
    let page = try own.snapshot().changes(after: own.anchor(at: 1))
    #expect(page.erasures.map(\.name) == [series.subject])
  }
}
