import SampleLog
import Testing

/// Initial loads, page by page, of series whose subject is erased before, during or after the load.
@Suite struct ErasedLoadTests {
  private let database: Database

  init() throws { database = try Database.inMemory() }

  private var both: SeriesSelection {
    SeriesSelection(["ada", "bob"].map { database.key("heartRate", subject: $0) })
  }

  private func save(_ values: Range<Int>) throws {
    for value in values {
      for subject in ["ada", "bob"] { try database.save(subject: subject, value: Double(value)) }
    }
  }

  @discardableResult
  private func erase(_ subject: String) throws -> UInt64 {
    try #require(try database.erase(database.symbols.intern(subject)).sequence)
  }

  /// The values of the pages of a load from an anchor on.
  private func load(
    _ limit: Int, after begin: Anchor = .beginning, beforePage: (Int) throws -> Void = { _ in }
  ) throws -> [String] {
    var (after, found, number) = (begin, [String](), 0)
    while true {
      try beforePage(number)
      number += 1
      let page = try database.snapshot().changes(after: after, of: both, limit: limit)
      found += page.changes.map {
        "\(database.symbols.text($0.row.subject)) \(Int($0.row.value))"
      }
      after = page.anchor
      if !page.hasMore { return found }
    }
  }

  @Test(arguments: [1, 2, 3, 7], [false, true])
  func `A load that begins after an erasure reads all remaining samples`(
    limit: Int, isSealed: Bool
  ) throws {
    try save(0..<6)
    try erase("ada")
    if isSealed { try database.seal() }
    // The erasure is the last record, and the first pages end before it.
    #expect(try load(limit) == (0..<6).map { "bob \($0)" })
    try save(6..<9)
    let rest = (6..<9).flatMap { ["ada \($0)", "bob \($0)"] }
    #expect(try load(limit) == (0..<6).map { "bob \($0)" } + rest)
    let feed = try ChangeFeed(database, after: .beginning, of: both)
    var count = 0
    while let page = try feed.next(limit: limit) { count += page.changes.count }
    #expect(count == 12)
  }

  @Test(arguments: [1, 2, 3])
  func `A load ends if one of its subjects is erased between its pages`(limit: Int) throws {
    try save(0..<6)
    try erase("ada")
    try save(6..<9)
    var sequence: UInt64 = 0
    #expect {
      try load(limit) { number in if number == 2 { sequence = try erase("ada") } }
    } throws: { error in
      error as? StoreError == .erased(subject: "ada", sequence: sequence)
    }
    // A load of other subjects continues, whether they were erased before it began or not.
    var read = 0
    let bob = SeriesSelection([database.key("heartRate", subject: "bob")])
    var after = Anchor.beginning
    repeat {
      let page = try database.snapshot().changes(after: after, of: bob, limit: limit)
      after = page.anchor
      read += page.changes.count
      if read == limit { try erase("ada") }
      if !page.hasMore { break }
    } while true
    #expect(read == 9)
  }

  @Test func `A load that has ended reports the next erasure, and no earlier one`() throws {
    try save(0..<3)
    let first = try erase("ada")
    let page = try database.snapshot().changes(after: .beginning, of: both)
    #expect(page.anchor.sequence >= first)
    #expect(try load(5, after: page.anchor).isEmpty)
    let second = try erase("ada")
    #expect(throws: StoreError.erased(subject: "ada", sequence: second)) {
      try load(5, after: page.anchor)
    }
    #expect(try load(5) == ["bob 0", "bob 1", "bob 2"])
  }

  @Test func `An erasure after the first record ends a feed that has read only that`() throws {
    try database.save(subject: "ada")
    let page = try database.snapshot().changes(after: .beginning, of: both)
    #expect(page.anchor.sequence == 1 && page.changes.count == 1)
    let sequence = try erase("ada")
    #expect(throws: StoreError.erased(subject: "ada", sequence: sequence)) {
      try load(5, after: page.anchor)
    }
  }

  @Test(arguments: [1, 2, 5])
  func `A load of everything that begins after an erasure does not report it`(limit: Int) throws {
    try save(0..<4)
    try erase("ada")
    try save(4..<6)
    var (after, erasures, count) = (Anchor.beginning, 0, 0)
    while true {
      let page = try database.snapshot().changes(after: after, limit: limit)
      erasures += page.erasures.count
      count += page.changes.count
      after = page.anchor
      if !page.hasMore { break }
    }
    #expect(erasures == 0 && count == 8)
    let sequence = try erase("bob")
    let next = try database.snapshot().changes(after: after)
    #expect(next.erasures.map(\.sequence) == [sequence])
  }
}
