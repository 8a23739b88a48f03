import SampleLog
import SampleLogSimulation

/// Creates the store of the format's fixture: the same data every time, with every kind of file,
/// record and column.
struct FixtureMaker {
  static let clock = 800_000_000.0

  let disk = FaultyFileSystem()
  private var number: UInt64 = 0

  static func options(toleratesDamage: Bool = false) -> Database.Options {
    testOptions { options in
      options.clock = { clock }
      options.toleratesDamage = toleratesDamage
    }
  }

  static func random(_ number: UInt64) -> Identifier {
    var seeded = Seeded(number)
    return Identifier(
      high: seeded.next() & ~0xF000 | 0x4000,
      low: seeded.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// The stream of the library's generated identifiers.
  static let stream = IdentifierStream(high: 26, key: Identifier(high: 11, low: 21))

  /// One type of sample: the number per batch, and the fields.
  struct Kind: Sendable {
    var subject = "ada"
    var type: String
    var count: Int
    var id: @Sendable (UInt64) -> Identifier = FixtureMaker.random
    var start: @Sendable (Int) -> Double
    var length: @Sendable (Int) -> Double = { _ in 0 }
    var value: @Sendable (Int) -> Double
    var unit: @Sendable (Int) -> String = { _ in "count/min" }
    var source: @Sendable (Int) -> String = { _ in "watch" }
    var extras: @Sendable (Int) -> Extras = { _ in Extras() }
  }

  /// Milliseconds since 1970, the precision of most programs' dates.
  @Sendable static func millisecond(_ row: Int) -> Double {
    Double(1_700_000_000_000 + row * 5003) / 1000 - 978_307_200
  }

  static let oddValues: [Double] = [
    .nan, -0.0, .infinity, -.infinity, 0x1p-1074, .greatestFiniteMagnitude, 1e-7, 0.1,
  ]

  /// Each kind produces one column encoding.
  static let kinds: [Kind] = [
    Kind(type: "constant", count: 40, start: { _ in 700_000_000 }, value: { _ in 1 }),
    Kind(
      type: "heartRate", count: 700, start: millisecond, length: { $0 % 4 == 0 ? 0 : 5 },
      value: { 60 + Double($0 * 7919 % 61) },
      extras: { row in
        var extras = Extras()
        if row % 50 == 3 { extras.metadata = Array("metadata of row \(row / 100)".utf8) }
        return extras
      }),
    Kind(
      subject: "bob", type: "steps", count: 60, id: { Identifier(high: 5, low: $0) },
      start: { Double($0) * 60 }, length: { _ in 59.5 }, value: { Double($0) / 10 },
      unit: { $0 % 9 == 0 ? "count" : "kcount" }, source: { "phone \($0 % 3)" }),
    Kind(
      type: "odd", count: 12, id: { Identifier(high: $0 << 40, low: ~$0) },
      start: { 600_000_000 + Double($0) * 0x1p-20 },
      length: { $0 == 5 ? 1.0 / 3 : 0.1 },
      value: { oddValues[$0 % 8] }),
    Kind(
      type: "random", count: 130, start: { Double($0) + Double($0).squareRoot() },
      value: { Double(Seeded(UInt64($0)).first >> 11) * 0x1p-53 }),
    Kind(
      type: "noise", count: 9, start: { 640_000_000 + Double($0) },
      // Any bits except infinities and NaN.
      value: { Double(bitPattern: Seeded(UInt64($0)).first & ~(1 << 62)) }),
    Kind(
      type: "planes", count: 200, start: { 650_000_000 + Double($0) },
      length: { Double($0 % 7).squareRoot() * 1e-5 },
      value: { 1000 + Double($0 % 16).squareRoot() }),
    Kind(
      type: "rarely", count: 512, start: { 650_000_000 + Double($0) },
      value: { $0 % 97 == 0 ? Double($0) * 1_000_003 : 7 }),
    Kind(
      type: "ours", count: 100, id: { stream.identifier($0) },
      start: { 655_000_000 + Double($0) }, value: { Double($0 % 5) }),
    Kind(
      type: "levels", count: 1024, start: { 660_000_000 + Double($0) },
      value: { Double($0 / 128 * 1_000_003 % 7919) }),
    Kind(
      type: "synchronised", count: 6, start: { 670_000_000 + Double($0) * 1.5 },
      value: { Double($0) },
      extras: { row in
        var extras = Extras()
        extras.syncIdentifier = Array("sync \(row)".utf8)
        extras.syncVersion = Int64(row) - 2
        extras.payloadKind = UInt64(row % 2)
        extras.payload = [UInt8](repeating: UInt8(row), count: row * 9)
        extras.memberOf = row == 4 ? [FixtureMaker.random(1), FixtureMaker.random(2)] : []
        return extras
      }),
  ]

  /// Writes the store; its files are then in `disk.memory`.
  mutating func make() throws {
    var random = Seeded(2026)
    let words = Locked((0..<64).map { _ in random.next() })
    var options = Self.options()
    options.random = { words.withLock { $0.removeLast() } }
    let database = try Database(path: "store", options: options, fileSystem: disk)
    database.symbols.streams.add(Self.stream)
    // Two segments that are merged into one, with deletions.
    try save(to: database, part: 0)
    try database.acknowledge("reader", through: 20)
    try database.seal()
    try delete(stride(from: 3, to: 400, by: 7).map { UInt64($0) }, from: database)
    try database.acknowledge("forgotten", through: 5)
    try database.removeAcknowledgement("forgotten")
    try database.seal()
    try database.compact()
    // Two more, whose deletions refer to them and to the first.
    try save(to: database, part: 1)
    try database.seal()
    try delete((2000...2020).map { UInt64($0) } + (2700...2702).map { UInt64($0) }, from: database)
    try database.seal()
    // A log that a failed save ended, and its successor.
    try save(to: database, part: 2)
    try database.acknowledge("reader", through: 900)
    disk.faults = .sync
    _ = try? save(to: database, part: 9)
    disk.faults = []
    try delete([1, 2, 2690, 3400], from: database)
    try save(to: database, part: 3)
    try database.acknowledge("second reader", through: database.end)
    try database.close()
  }

  private mutating func save(to database: Database, part: Int) throws {
    var batch = Batch()
    for kind in Self.kinds {
      let count = part < 2 ? kind.count : min(kind.count, 24)
      for index in 0..<count {
        number += 1
        let row = index + part * kind.count
        let start = kind.start(row)
        batch.add(
          subject: database.symbols.intern(kind.subject), type: database.symbols.intern(kind.type),
          id: kind.id(number), start: start, end: start + kind.length(row), value: kind.value(row),
          unit: database.symbols.intern(kind.unit(row)),
          source: database.symbols.intern(kind.source(row)),
          device: index % 11 == 1 ? database.symbols.intern("device") : 0,
          extras: batch.intern(extras: kind.extras(row).encoded))
      }
    }
    try database.commit(batch)
  }

  /// Deletes the samples with the given sequence numbers that are still live.
  private func delete(_ sequences: [UInt64], from database: Database) throws {
    var batch = Batch()
    for change in try database.snapshot().changes(after: .beginning).changes
    where change.kind == .sample && sequences.contains(change.sequence) {
      batch.delete(change.row.id)
    }
    try database.commit(batch)
  }
}

extension Seeded {
  /// The first number of the sequence.
  var first: UInt64 {
    var copy = self
    return copy.next()
  }
}
