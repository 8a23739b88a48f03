import SampleLogSimulation
import Testing

@testable import SampleLog

/// Sealing series with few rows each: they share a buffer of 4,096 rows, which is written when it
/// is full and when a type or kind begins, and reused.
@Suite struct SharedRowSealerTests {
  private let database: Database

  init() throws { database = try Database.inMemory { $0.blockRowCount = 1024 } }

  /// Saves rows of a type, the given number for each subject, and returns their identifiers.
  ///
  /// All columns of a row differ from those of other rows. Each row has extras unless `plain` is
  /// true.
  @discardableResult
  private func save(
    _ counts: [Int], type: String, plain: (Int) -> Bool = { _ in false }
  ) throws -> [Identifier] {
    var batch = Batch()
    var number = 0
    for (subject, count) in counts.enumerated() {
      for row in 0..<count {
        var extras = Extras()
        if !plain(number) { extras.metadata = Array("extras of \(type) \(number)".utf8) }
        // The rows of a subject are not in chronological order.
        let start = Double((row * 7) % max(1, count)) + Double(subject)
        batch.add(
          subject: database.symbols.intern("subject \(subject)"),
          type: database.symbols.intern(type), id: Identifier(), start: start,
          end: start + Double(number), value: Double(number),
          unit: database.symbols.intern("unit \(number % 5)"),
          source: database.symbols.intern("source \(number % 7)"),
          device: database.symbols.intern("device \(number % 3)"),
          extras: batch.intern(extras: extras.encoded))
        number += 1
      }
    }
    try database.commit(batch)
    return batch.rows.id
  }

  /// Describes all rows, with their columns and extras.
  private func rows() throws -> [Identifier: String] {
    let snapshot = database.snapshot()
    let keys = snapshot.series
    var found: [Identifier: String] = [:]
    for row in try snapshot.select(keys) {
      let (block, place) = (row.block, row.row)
      let names = [block.unit[place], block.source[place], block.device[place]].map {
        database.symbols.text($0)
      }
      let extras = try snapshot.extras(of: row)
      found[row.id] =
        "\(row.sequence) \(database.symbols.text(row.subject)) "
        + "\(database.symbols.text(block.type)) \(block.start[place]) "
        + "\(block.end[place]) \(block.value[place]) \(names) "
        + String(decoding: extras.metadata, as: UTF8.self)
    }
    return found
  }

  /// Describes the deletions in the order of their sequence numbers.
  private func deletions() throws -> [String] {
    try database.snapshot().changes(after: .beginning).changes.filter { $0.kind == .deletion }.map {
      let (block, place) = ($0.row.block, $0.row.row)
      return "\($0.sequence) \($0.row.id) \(block.target[place]) \(block.time[place]) "
        + "\(block.start[place]) \([UInt8](block.extras(at: place)))"
    }
  }

  /// Expects that sealing changes no result.
  private func expectSameWhenSealed() throws {
    let (before, deleted) = (try rows(), try deletions())
    try database.seal()
    #expect(try rows() == before)
    #expect(try deletions() == deleted)
    #expect(database.state.withLock { $0.memTables.map(\.rowCount) } == [0])
    try database.checkInvariants()
  }

  @Test(arguments: [4095, 4096, 4097, 8192, 8195, 12_300])
  func `Rows with extras fill the buffer exactly, or by one more or less`(count: Int) throws {
    // Three rows per subject, so that a series would cross the end of the buffer.
    try save(
      Array(repeating: 3, count: count / 3) + (count % 3 > 0 ? [count % 3] : []), type: "a")
    try expectSameWhenSealed()
  }

  @Test func `A series that fits exactly is written with those before it`() throws {
    try save(Array(repeating: 64, count: 64) + [1], type: "a")
    try save(Array(repeating: 64, count: 63) + [63, 2], type: "b")
    try expectSameWhenSealed()
  }

  @Test func `Many small blocks with extras reuse the buffer in succession`() throws {
    // Their extras exceed the buffer together, and no block has more than a hundred.
    for type in 0..<120 {
      try save(Array(repeating: 2, count: 20 + type % 30), type: "type \(type)") { $0 % 5 == 0 }
    }
    try expectSameWhenSealed()
  }

  @Test func `Deletions share the buffer with samples of their type`() throws {
    var gone: [Identifier] = []
    for type in ["a", "b", "c"] {
      let ids = try save(Array(repeating: 5, count: 900), type: type)
      gone += ids.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    }
    var batch = Batch()
    for id in gone { batch.delete(id) }
    try database.commit(batch)
    try save([1, 0, 2], type: "a")
    try expectSameWhenSealed()
  }

  @Test(arguments: 0..<UInt64(Trials.count(8, quick: 3)))
  func `Random series of all sizes are unchanged by sealing`(seed: UInt64) throws {
    var random = Seeded(mixing: seed, 33)
    var gone: [Identifier] = []
    for type in 0..<4 {
      // Some have more rows than a shared block admits, and thus own chunks between the others.
      let counts = (0..<120).map { _ in random.oneIn(9) ? 60 + random.below(12) : random.below(50) }
      let ids = try save(counts, type: "type \(type)") { $0 % (2 + type) == 0 }
      gone += ids.filter { _ in random.oneIn(6) }
    }
    var batch = Batch()
    for id in gone { batch.delete(id) }
    try database.commit(batch)
    try expectSameWhenSealed()
  }

  @Test func `Samples that were deleted before sealing are forgotten with their rows`() throws {
    let ids = try save([3, 3], type: "a")
    var batch = Batch()
    for id in ids[1..<5] { batch.delete(id) }
    try database.commit(batch)
    #expect(database.state.withLock { $0.deleted.count } == 4)
    #expect(try database.compact().samplesDropped == 4)
    #expect(database.state.withLock { $0.deleted.count } == 0)
    #expect(try rows().keys.sorted() == [ids[0], ids[5]].sorted())
  }
}
