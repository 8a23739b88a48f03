import SampleLog
import SampleLogSimulation
import Testing

/// The layout of a store and the time of compactions must not change any result.
@Suite struct MetamorphicTests {
  /// The layout of a store, and the number of operations between compactions.
  struct Layout {
    var logRows: Int
    var blockRows: Int
    var segmentRows: Int
    var period: Int
  }

  private enum Operation {
    case save([(type: String, id: Identifier, start: Double, value: Double, extra: UInt8)])
    case delete([Identifier])
    case seal
  }

  /// The results of all queries, in an order that does not depend on the layout.
  private struct Answers: Equatable {
    var end: UInt64 = 0
    var rows: [[Model.Record]] = []
    var counts: [[Int]] = []
    /// The changes after every sequence number from 0.
    var feeds: [[UInt64]] = []
  }

  private static let types = ["heartRate", "stepCount"]

  /// Twenty-four operations on about 150 samples.
  private static func operations(_ seed: UInt64) -> [Operation] {
    var random = Seeded(seed)
    var alive: [Identifier] = []
    return (0..<24).map { step in
      let dice = Int.random(in: 0..<10, using: &random)
      if dice < 2, alive.count > 3 {
        let gone = alive.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        alive.removeAll { gone.contains($0) }
        return .delete(Array(gone))
      }
      if dice == 2 { return .seal }
      let count = Int.random(in: 1...16, using: &random)
      return .save(
        (0..<count).map { row in
          let id = Identifier(high: random.next(), low: random.next())
          alive.append(id)
          let late = Int.random(in: 0..<6, using: &random) == 0 ? 400.0 : 0
          return (
            types[Int.random(in: 0..<2, using: &random)], id, Double(step * 20 + row) - late,
            Double(Int.random(in: 0..<900, using: &random)) / 8,
            UInt8.random(in: 0...3, using: &random)
          )
        })
    }
  }

  private func answers(_ operations: [Operation], _ layout: Layout) throws -> Answers {
    let fileSystem = MemoryFileSystem()
    func open() throws -> Database {
      try Database.inMemory(fileSystem) { options in
        options.sealRowCount = layout.logRows
        options.blockRowCount = layout.blockRows
        options.segmentRowCount = layout.segmentRows
        options.blockCacheByteCount = 1 << 14
        options.identifierIndexByteCount = layout.period % 2 == 0 ? 0 : 1 << 20
      }
    }
    var database = try open()
    for (number, operation) in operations.enumerated() {
      try perform(operation, database)
      if layout.period > 0, (number + 1) % layout.period == 0 { try database.compact() }
      try database.checkInvariants()
    }
    var answers = try ask(database)
    // Reopens the store, so that results come from the disk.
    try database.close()
    database = try open()
    let again = try ask(database)
    #expect(again == answers)
    answers = again
    try database.close()
    #expect(try Verification(path: "store", fileSystem: fileSystem).isGood)
    return answers
  }

  private func perform(_ operation: Operation, _ database: Database) throws {
    var batch = Batch()
    switch operation {
    case .seal: return try database.seal()
    case .delete(let ids): for id in ids { batch.delete(id) }
    case .save(let samples):
      for sample in samples {
        var extras = Extras()
        if sample.extra > 0 { extras.metadata = [sample.extra] }
        let number = batch.intern(extras: extras.encoded)
        batch.add(
          subject: database.symbols.intern("ada"), type: database.symbols.intern(sample.type),
          id: sample.id, start: sample.start, end: sample.start + 60, value: sample.value,
          unit: database.symbols.intern("unit"), source: database.symbols.intern("watch"),
          extras: number)
      }
    }
    try database.commit(batch)
  }

  private func ask(_ database: Database) throws -> Answers {
    let snapshot = database.snapshot()
    var answers = Answers(end: snapshot.end)
    for type in Self.types {
      let key = database.key(type)
      for order in [
        RowOrder.start(ascending: true), .start(ascending: false), .end(ascending: true),
      ] {
        let rows = try snapshot.select([key], order: order)
        answers.rows.append(rows.map(Model.Record.init))
        answers.rows.append(
          try snapshot.select([key], order: order, limit: 5).map(Model.Record.init))
      }
      var filter = RowFilter()
      filter.start = .from(100)
      filter.value = { _ in Bounds(lower: 20, upper: 80) }
      let some = try snapshot.select([key], where: filter, order: .start(ascending: true))
      answers.rows.append(some.map(Model.Record.init))
      answers.rows.append(try snapshot.newest(key).map { [Model.Record($0)] } ?? [])
      let boundaries = stride(from: -400.0, through: 600, by: 50).map { $0 }
      let aggregates = try snapshot.aggregate(
        key, boundaries: boundaries, unit: database.symbols.intern("unit"))
      // Sums of eighths are exact in any order of addition.
      answers.counts.append(aggregates.flatMap { [$0.count, Int($0.sum * 8)] })
    }
    for place in 0...snapshot.end {
      var feed: [UInt64] = []
      for change in try snapshot.changes(after: Anchor(sequence: place)).changes {
        feed += [change.sequence, change.kind == .sample ? 0 : 1, change.row.id.low]
      }
      answers.feeds.append(feed)
    }
    return answers
  }

  @Test(arguments: 1...UInt64(Trials.count(3, quick: 1)))
  func `Compacting after every k-th operation changes no result in any layout`(
    seed: UInt64
  ) throws {
    let operations = Self.operations(seed)
    let plain = try answers(
      operations, Layout(logRows: 1_000_000, blockRows: 4096, segmentRows: 1_000_000, period: 0))
    #expect(plain.end > 100)
    #expect(plain.feeds[0].count > 0)
    for period in Trials.first(2, of: [1, 5, 24, 2, 3, 8, 13]) {
      for logRows in Trials.first(2, of: [9, 1_000_000, 60]) {
        for (blockRows, segmentRows) in [(1, 40), (7, 1_000_000), (4096, 40)] {
          let layout = Layout(
            logRows: logRows, blockRows: blockRows, segmentRows: segmentRows, period: period)
          #expect(try answers(operations, layout) == plain, "\(layout)")
        }
      }
    }
  }
}
