import FoundationEssentials
import SampleLog
import SampleLogSimulation
import Testing

/// The simplest reference for the store: an array and a filter.
struct Model {
  struct Record: Hashable {
    var sequence: UInt64
    var type: String
    var id: Identifier
    var start: Double
    var end: Double
    var value: Double
    var source: String
    var metadata: [UInt8]
    var deletedAt: UInt64?
  }

  private(set) var records: [Record] = []
  private(set) var end: UInt64 = 0

  /// The live records after all changes up to a sequence number.
  func state(_ through: UInt64 = .max) -> [Record] {
    records.filter { record in
      record.sequence <= through && record.deletedAt.map { $0 > through } ?? true
    }
  }

  mutating func commit(_ added: [Record], deleted: [Identifier]) {
    for id in deleted {
      end += 1
      let place = records.lastIndex { $0.id == id && $0.deletedAt == nil }
      if let place { records[place].deletedAt = end }
    }
    for var record in added {
      end += 1
      record.sequence = end
      records.append(record)
    }
  }

  /// Uses a sequence number for a record that is neither a sample nor a deletion.
  mutating func skip() { end += 1 }

  /// The deletions after a sequence number, of samples of a type, in order.
  func deletions(after: UInt64, type: String?) -> [(sequence: UInt64, id: Identifier)] {
    records.compactMap { record in
      guard let at = record.deletedAt, at > after, type.map({ $0 == record.type }) ?? true else {
        return nil
      }
      return (at, record.id)
    }
    .sorted { $0.0 < $1.0 }
  }
}

extension Model.Record {
  init(_ row: Row) {
    let block = row.block
    self.init(
      sequence: row.sequence, type: block.symbols.text(block.type), id: row.id,
      start: block.start[row.row], end: block.end[row.row], value: block.value[row.row],
      source: block.symbols.text(block.source[row.row]),
      metadata: Extras(block.extras(at: row.row))?.metadata ?? [], deletedAt: nil)
  }

  /// The record as it was saved, before any deletion.
  var saved: Model.Record {
    var copy = self
    copy.deletedAt = nil
    return copy
  }
}

/// A store and its model, and the steps that change both.
struct Workload {
  static let types = ["heartRate", "stepCount", "bodyMass"]

  var fileSystem = MemoryFileSystem()
  var database: Database
  var model = Model()
  var random: Seeded
  /// Snapshots held while the store changes, each with the end of its history.
  private var held: [Snapshot] = []
  /// The stream of some identifiers, as the library generates them.
  private let stream: IdentifierStream
  private var made: UInt64 = 0
  private let change: (inout Database.Options) -> Void

  init(seed: UInt64, _ change: @escaping (inout Database.Options) -> Void) throws {
    random = Seeded(seed)
    self.change = change
    stream = IdentifierStream(high: seed, key: Identifier(high: seed, low: 7))
    database = try Database.inMemory(fileSystem, change)
    database.symbols.streams.add(stream)
  }

  mutating func step() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<10: try commit()
    case 10..<13: try delete()
    case 13: try database.seal()
    case 14: try database.compact()
    case 15: try reopen(closing: true)
    case 16: try reopen(closing: false)
    case 17: held.append(database.snapshot())
    default: try check()
    }
  }

  mutating func commit(deleting: [Identifier] = []) throws {
    var batch = Batch()
    var added: [Model.Record] = []
    let count = Bool.random(using: &random) ? 1 : Int.random(in: 1...300, using: &random)
    // Mostly in chronological order, sometimes long before.
    let isMade = Bool.random(using: &random)
    let base = Double(model.end) * 10 - (Int.random(in: 0..<5, using: &random) == 0 ? 5000 : 0)
    for index in 0..<count {
      let start = base + Double(index) * Double.random(in: -1...10, using: &random)
      var extras = Extras()
      if Int.random(in: 0..<4, using: &random) == 0 {
        extras.metadata = [UInt8.random(in: 1...5, using: &random)]
      }
      let record = Model.Record(
        sequence: 0, type: Self.types.randomElement(using: &random) ?? "",
        id: identifier(isMade: isMade || Int.random(in: 0..<9, using: &random) == 0),
        start: start,
        end: start + Double([0, 60, 0.125].randomElement(using: &random) ?? 0),
        value: Double(Int.random(in: 0..<2000, using: &random)) / 10,
        source: ["watch", "phone"].randomElement(using: &random) ?? "", metadata: extras.metadata,
        deletedAt: nil)
      let key = database.key(record.type)
      let number = batch.intern(extras: extras.encoded)
      batch.add(
        subject: key.subject, type: key.type, id: record.id, start: record.start,
        end: record.end, value: record.value, unit: database.symbols.intern("unit"),
        source: database.symbols.intern(record.source), extras: number)
      added.append(record)
    }
    for id in deleting { batch.delete(id) }
    try database.commit(batch)
    model.commit(added, deleted: deleting)
  }

  private mutating func identifier(isMade: Bool) -> Identifier {
    guard isMade else { return Identifier(high: random.next(), low: random.next()) }
    made += 1
    return stream.identifier(made)
  }

  mutating func delete() throws {
    let alive = model.state()
    guard !alive.isEmpty else { return }
    var ids: Set<Identifier> = []
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      if let record = alive.randomElement(using: &random) { ids.insert(record.id) }
    }
    try commit(deleting: Array(ids))
  }

  /// Opens the directory again, after closing the store or killing its process.
  mutating func reopen(closing: Bool) throws {
    held = []
    if closing {
      try database.close()
    } else {
      // The old handle may still be sealing, which a dead process would not.
      fileSystem = fileSystem.copy()
    }
    database = try Database.inMemory(fileSystem, change)
    // A new process knows only the streams that files name.
    if Bool.random(using: &random) { database.symbols.streams.add(stream) }
    #expect(database.end == model.end)
  }

  // MARK: Comparing

  mutating func check() throws {
    try database.checkInvariants()
    try compare(database.snapshot())
    for snapshot in held { try compare(snapshot) }
    try compareFeed()
  }

  private mutating func compare(_ snapshot: Snapshot) throws {
    let alive = model.state(snapshot.end)
    for type in Self.types {
      let key = database.key(type)
      let expected = alive.filter { $0.type == type }.map(\.saved)
      let all = try snapshot.select([key], order: .start(ascending: true))
      let sorted = expected.sorted { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
      #expect(all.map(Model.Record.init) == sorted)
      var streamed: [Model.Record] = []
      try snapshot.stream([key]) { rows in
        streamed += rows.map(Model.Record.init)
        return true
      }
      #expect(streamed == sorted)
      #expect(try snapshot.newest(key).map(Model.Record.init) == newest(expected))
      try compareFiltered(snapshot, key, expected)
    }
    if let some = alive.randomElement(using: &random) {
      #expect(try snapshot.row(some.id).map(Model.Record.init) == some.saved)
    }
  }

  private func newest(_ records: [Model.Record]) -> Model.Record? {
    records.max { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
  }

  private mutating func compareFiltered(
    _ snapshot: Snapshot, _ key: SeriesKey, _ records: [Model.Record]
  ) throws {
    var filter = RowFilter()
    let middle = Double.random(in: 0...Double(model.end + 1) * 10, using: &random)
    filter.start = .from(middle)
    filter.end = .below(middle + 3000)
    let wanted = database.symbols.intern("watch")
    filter.source = { $0 == wanted }
    filter.value = { _ in Bounds(lower: 50, upper: 150) }
    let matching = records.filter {
      $0.start >= middle && $0.end < middle + 3000 && $0.source == "watch"
        && $0.value >= 50 && $0.value <= 150
    }
    let limit = Int.random(in: 1...30, using: &random)
    for isAscending in [true, false] {
      let byEnd = try snapshot.select(
        [key], where: filter, order: .end(ascending: isAscending), limit: limit)
      var sorted = matching.sorted { ($0.end, $0.sequence) < ($1.end, $1.sequence) }
      if !isAscending { sorted.reverse() }
      #expect(byEnd.map(Model.Record.init) == Array(sorted.prefix(limit)))
    }
    let boundaries = [middle - 1000, middle, middle + 500, middle + 4000]
    let aggregates = try snapshot.aggregate(
      key, boundaries: boundaries, unit: database.symbols.intern("unit"))
    for (index, aggregate) in aggregates.enumerated() {
      let inside = records.filter {
        $0.start >= boundaries[index] && $0.start < boundaries[index + 1]
      }
      #expect(aggregate.count == inside.count)
      #expect(abs(aggregate.sum - inside.reduce(0) { $0 + $1.value }) < 1e-6)
      #expect(aggregate.maximum == inside.map(\.value).max() ?? -.infinity)
    }
  }

  /// Reads the feed from a position in pages of a random size and applies it to the earlier state.
  private mutating func compareFeed() throws {
    let snapshot = database.snapshot()
    // Older changes may have been forgotten.
    let start = UInt64.random(in: snapshot.floor...model.end, using: &random)
    let type = Bool.random(using: &random) ? Self.types.randomElement(using: &random) : nil
    let limit = [1, 7, 500, nil].randomElement(using: &random) ?? nil
    let inType = { (record: Model.Record) in type.map { $0 == record.type } ?? true }
    var folded = Dictionary(
      uniqueKeysWithValues: model.state(start).filter(inType).map { ($0.id, $0.saved) })
    var deletions: [Identifier] = []
    var anchor = Anchor(sequence: start)
    var last = start
    repeat {
      let page = try snapshot.changes(
        after: anchor, in: type.map { [database.key($0)] }, limit: limit)
      for change in page.changes {
        #expect(change.sequence > last, "ordered and unique")
        last = change.sequence
        if change.kind == .sample {
          folded[change.row.id] = Model.Record(change.row)
        } else {
          folded[change.row.id] = nil
          deletions.append(change.row.id)
        }
      }
      #expect(page.anchor.sequence >= anchor.sequence, "the anchor never goes back")
      anchor = page.anchor
      if !page.hasMore { break }
    } while true
    #expect(anchor.sequence == snapshot.end)
    #expect(Set(folded.values) == Set(model.state().filter(inType)), "reliable")
    #expect(deletions == model.deletions(after: start, type: type).map(\.id))
  }
}
