import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Payloads and child rows of objects.
@Suite struct ChildPayloadTests {
  private struct Part: ChildPayload, Equatable {
    static let kind: UInt64 = 250
    static let childType = "part"
    var number: UInt8

    init(_ number: UInt8) { self.number = number }

    var encoded: [UInt8] { [1, number] }

    init?(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count == 2, bytes[0] == 1 else { return nil }
      number = bytes[1]
    }
  }

  private let database: Database
  private let store: HKHealthStore

  init() throws {
    database = try Database(path: "store", fileSystem: MemoryFileSystem())
    store = HKHealthStore(database: database)
  }

  private func meal(_ parts: [UInt8], version: Int? = nil) throws -> HKCorrelation {
    let metadata = version.map {
      [HKMetadataKeySyncIdentifier: "meal", HKMetadataKeySyncVersion: $0] as [String: Any]
    }
    return HKCorrelation(
      built: try BuiltSample(
        validating: HKCorrelationType(.food), start: testStart, end: testStart + 60,
        children: parts.map(Part.init), device: nil, metadata: metadata, sourceRevision: nil))
  }

  private func parts(_ object: HKObject) throws -> [UInt8] {
    let snapshot = database.snapshot()
    let row = try #require(try snapshot.row(Identifier(object.uuid)))
    return try snapshot.payloads(Part.self, of: row).map(\.number)
  }

  private func partCount() throws -> Int {
    let type = database.symbols.intern(
      ChildType.name("part", of: "HKCorrelationTypeIdentifierFood"))
    return try database.snapshot().select([SeriesKey(subject: 0, type: type)]).count
  }

  @Test func `child rows are found by their parent and number`() async throws {
    let meal = try meal(Array(0..<20))
    try await store.save(meal)
    #expect(try parts(meal) == Array(0..<20))
    let snapshot = database.snapshot()
    let row = try #require(try snapshot.row(Identifier(meal.uuid)))
    #expect(try snapshot.payload(Part.self, number: 13, of: row) == Part(13))
    #expect(try snapshot.payload(Part.self, number: 20, of: row) == nil)
  }

  @Test func `child rows are deleted with their parent, however it is deleted`() async throws {
    let type = HKCorrelationType(.food)
    let objects = try (0..<3).map { _ in try meal([1, 2]) }
    try await store.save(objects)
    try await store.delete(objects[0])
    #expect(try partCount() == 4)
    let one = HKQuery.predicateForObject(with: objects[1].uuid)
    #expect(try await store.deleteObjects(of: type, predicate: one) == 1)
    #expect(try partCount() == 2)
    try await store.deleteObjects(of: type, olderThan: 0)
    #expect(try partCount() == 0)
  }

  @Test func `child rows are deleted when a newer version replaces their parent`() async throws {
    try await store.save(try meal([1, 2, 3], version: 1))
    let new = try meal([4], version: 2)
    try await store.save(new)
    #expect(try partCount() == 1)
    #expect(try parts(new) == [4])
  }

  @Test func `queries, feeds and source lists exclude child rows`() async throws {
    let meal = try meal([1, 2])
    try await store.save(meal)
    let all: [HKSample] = try await store.read(.sample(type: HKCorrelationType(.food)))
    #expect(all.map(\.uuid) == [meal.uuid])
    let type = ChildType.name("part", of: "HKCorrelationTypeIdentifierFood")
    #expect(HKObjectType.make(identifier: String(decoding: type, as: UTF8.self)) == nil)
    #expect(try database.statistics().series.count == 1)
  }

  @Test func `importing an object with child rows twice adds nothing`() throws {
    var imported = IncomingSample(
      uuid: UUID(), type: "HKCorrelationTypeIdentifierFood", start: testStart, end: testStart,
      value: 0, unit: nil, sourceRevision: .current, device: nil, metadata: [:])
    imported.payload = CorrelationPayload([])
    imported.children = [Part(1), Part(2)]
    for round in 0..<2 {
      var writer = RowWriter(database, subject: "")
      try writer.add(imported)
      let outcome = try writer.commit()
      #expect(outcome.added == (round == 0 ? [imported.type] : []))
      #expect(outcome.known == (round == 0 ? [] : [imported.type]))
    }
    #expect(try partCount() == 2)
  }

  @Test func `identifiers of child rows differ by parent, type and number`() {
    var seen: Set<Identifier> = []
    for parent in [Identifier(high: 1, low: 2), Identifier(high: 2, low: 1)] {
      for childType in ["a", "b", "aa"] {
        for number in UInt64(0)..<300 {
          let id = Identifier(childOf: parent, type: childType, number: number)
          #expect(seen.insert(id).inserted)
          #expect(id.uuid.uuidString.dropFirst(14).first == "8")
        }
      }
    }
  }

  @Test func `an invalid payload is damage that names the file`() async throws {
    let type = database.symbols.intern("HKCorrelationTypeIdentifierFood")
    var extras = Extras()
    extras.payloadKind = CorrelationPayload.kind
    extras.payload = [99]
    var batch = Batch()
    let number = batch.intern(extras: extras.encoded)
    batch.add(to: SeriesKey(subject: 0, type: type), start: 0, value: 0, extras: number)
    try database.commit(batch)
    let error = await #expect(throws: HKError.self) {
      _ = try await store.read(.correlation(type: HKCorrelationType(.food)))
    }
    let cause = error?.userInfo[NSUnderlyingErrorKey] as? StoreError
    guard case .damaged(let file, _, let reason)? = cause else {
      Issue.record("\(String(describing: cause))")
      return
    }
    #expect(file.hasSuffix(".log"))
    #expect(reason.contains("a payload that makes no sense"))
  }

  @Test func `every kind of payload has a distinct number`() {
    let kinds = SamplePayloads.all.map { $0.kind }
    #expect(Set(kinds).count == kinds.count)
    #expect(!kinds.contains(0))
  }
}
