@testable import SampleLog
import FoundationEssentials
import Testing

/// Files of other stores, and of other copies of the same store, in a store's directory.
@Suite final class ForeignFileTests {
  private let files = MemoryFileSystem()

  private func names(_ suffix: String, in path: String = "store") -> [String] {
    (files.list(path) ?? []).filter { $0.hasSuffix(suffix) }.sorted()
  }

  private func open(_ path: String = "store", tolerant: Bool = false) throws -> Database {
    let options = testOptions { $0.toleratesDamage = tolerant }
    return try Database(path: path, options: options, fileSystem: files)
  }

  /// Creates a store with samples, the last of them in its log.
  private func make(_ path: String, _ values: ClosedRange<Int>, isSealed: Bool = false) throws {
    let database = try open(path)
    for value in values { try database.save(start: Double(value), value: Double(value)) }
    if isSealed { try database.seal() }
    try database.close()
  }

  private func copy(_ name: String, from source: String, as newName: String? = nil) throws {
    let file = try files.open(source + "/" + name, .read)
    let bytes = try #require(try file.bytes(file.size(), at: 0))
    let copy = try files.open("store/" + (newName ?? name), .create)
    try bytes.withUnsafeBytes { try copy.write($0, at: 0) }
  }

  /// Expects that opening for writing reports a file and removes nothing, and that the store is
  /// complete without it.
  private func expectDamage(
    _ name: String, _ reason: String, values: [Double],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = Set(files.list("store") ?? [])
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try open() }
    guard case .damaged(name, _, let found) = error else {
      Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
      return
    }
    #expect(found.contains(reason), sourceLocation: sourceLocation)
    let verification = try Verification(path: "store", fileSystem: files)
    #expect(verification.damages.contains { $0.file == name }, sourceLocation: sourceLocation)
    let tolerant = try open(tolerant: true)
    #expect(try tolerant.values() == values, sourceLocation: sourceLocation)
    try tolerant.close()
    #expect(before.isSubset(of: files.list("store") ?? []), sourceLocation: sourceLocation)
    let report = try Database.repair(from: "store", to: "repaired", fileSystem: files)
    #expect(report.losses.allSatisfy { $0.file == name }, sourceLocation: sourceLocation)
    #expect(try open("repaired").values() == values, sourceLocation: sourceLocation)
  }

  private let ofStore = "of another store"
  private let ofCopy = "of another copy"

  @Test func `Another store's segment hides and costs no sample`() throws {
    try make("store", 1...5)
    try make("other", 101...120, isSealed: true)
    let database = try open("other")
    try database.delete(try #require(try database.snapshot().firstIdentifier(database)))
    try database.compact()
    try database.close()
    let newest = try #require(names(".segment", in: "other").first)
    #expect(FileNames.segmentRange(newest)!.generation > 0)
    try copy(newest, from: "other")
    try expectDamage(newest, ofStore, values: [1, 2, 3, 4, 5])
  }

  @Test func `Recovery does not continue in another store's log`() throws {
    try make("store", 1...5, isSealed: true)
    try make("store", 6...6)
    try make("other", 101...107, isSealed: true)
    let name = try #require(names(".log", in: "other").first)
    try copy(name, from: "other")
    try expectDamage(name, ofStore, values: [1, 2, 3, 4, 5, 6])
  }

  @Test func `Another store's log with a name that a segment covers is not removed`() throws {
    try make("store", 1...5, isSealed: true)
    try make("other", 101...103)
    let name = try #require(names(".log", in: "other").first)
    try copy(name, from: "other")
    try expectDamage(name, ofStore, values: [1, 2, 3, 4, 5])
  }

  @Test func `A new log does not take the name of another store's log`() throws {
    try make("store", 1...6)
    try make("other", 101...106, isSealed: true)
    let name = FileNames.log(first: 7)
    try copy(name, from: "other")
    let file = try files.open("store/" + name, .read)
    let before = try file.bytes(file.size(), at: 0)
    let database = try open(tolerant: true)
    try database.save(start: 7, value: 7)
    try database.close()
    #expect(try file.bytes(file.size(), at: 0) == before)
    #expect(names(".log") == [1, 7, 8].map { FileNames.log(first: $0) })
    #expect(try open(tolerant: true).values() == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `A segment that the original wrote later is ignored in a restored copy`() throws {
    try make("other", 1...5)
    try open("other").backup(to: "backup")
    try Database.restore(from: "backup", to: "store", fileSystem: files)
    try make("store", 6...7)
    try make("other", 106...130, isSealed: true)
    let name = try #require(names(".segment", in: "other").first)
    try copy(name, from: "other")
    try expectDamage(name, ofCopy, values: [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `A segment with later deletions of the original is ignored in a copy`()
    throws
  {
    try make("other", 1...5, isSealed: true)
    try open("other").backup(to: "backup")
    try Database.restore(from: "backup", to: "store", fileSystem: files)
    let other = try open("other")
    try other.delete(try #require(try other.snapshot().firstIdentifier(other)))
    try other.compact()
    try other.close()
    let name = try #require(names(".segment", in: "other").first { $0 != names(".segment")[0] })
    try copy(name, from: "other")
    try expectDamage(name, ofCopy, values: [1, 2, 3, 4, 5])
  }

  @Test func `A restored copy's segment is ignored in the original`() throws {
    try make("store", 1...5)
    try open().backup(to: "backup")
    try make("store", 6...7)
    try Database.restore(from: "backup", to: "other", fileSystem: files)
    try make("other", 106...130, isSealed: true)
    for name in names(".segment", in: "other") { try copy(name, from: "other") }
    try expectDamage(
      try #require(names(".segment").first), ofCopy, values: [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `A log that extends beyond the segments covering its name is kept`() throws {
    try make("store", 1...5)
    let log = try #require(names(".log").first)
    try copy(log, from: "store", as: "saved")
    try make("store", 6...6, isSealed: true)
    try files.rename("store/saved", to: "store/" + log)
    // A crash during sealing leaves this state.
    try open().close()
    #expect(!names(".log").contains(log))
    try make("store", 7...8)
    var long = LogMaker(
      storeID: try open().storeID, predecessor: nil)
    for value in 1...9 { try long.add(Double(value)) }
    let file = try files.open("store/" + log, .create)
    try long.bytes.withUnsafeBytes { try file.write($0, at: 0) }
    #expect(throws: StoreError.self) { try open() }
    #expect(names(".log").contains(log))
  }

  @Test func `A leftover with an unreadable header is reported and kept`() throws {
    try make("store", 1...5)
    let log = try #require(names(".log").first)
    try make("store", 6...6, isSealed: true)
    let file = try files.open("store/" + log, .create)
    try [UInt8](repeating: 7, count: 200).withUnsafeBytes { try file.write($0, at: 0) }
    try expectDamage(log, "checksum", values: [1, 2, 3, 4, 5, 6])
  }

  @Test func `Of two overlapping segments of one generation neither is removed`() throws {
    try make("store", 1...5, isSealed: true)
    let storeID = try open().storeID
    let file = try files.open(
      "store/" + FileNames.segment(first: 3, last: 5, generation: 0), .create)
    let writer = try SegmentWriter(
      file: file,
      header: SegmentHeader(
        storeID: storeID, epoch: 1, first: 3, last: 5, generation: 0, floor: 0, deletedThrough: 0),
      symbols: SymbolTable())
    _ = try writer.finish(settings: [])
    let error = #expect(throws: StoreError.self) { try open() }
    #expect("\(String(describing: error))".contains("of the same generation"))
    #expect(names(".segment").count == 2)
  }

  @Test func `Only the store's own temporary files are removed`() throws {
    try make("store", 1...5)
    let own = names(".log")[0] + ".tmp"
    for name in [own, "notes.tmp", "export.xml.tmp"] {
      _ = try files.open("store/" + name, .create)
    }
    try open().close()
    #expect(names(".tmp") == ["export.xml.tmp", "notes.tmp"])
  }
}

extension Snapshot {
  fileprivate func firstIdentifier(_ database: Database) throws -> Identifier? {
    try select([database.key("heartRate")], where: RowFilter(), order: .start(ascending: true))
      .first.map { $0.block.id[$0.row] }
  }
}
