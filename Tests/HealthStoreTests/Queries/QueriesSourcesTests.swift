import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// The sources of rows that other programs wrote.
@Suite struct QueriesSourcesTests {
  private let query = HKSourceQueryDescriptor(predicate: .quantitySample(type: testHeartRate))

  private func store(_ source: [UInt8]) throws -> HKHealthStore {
    let database = try Database(path: "/sources", fileSystem: MemoryFileSystem())
    let symbols = database.symbols
    var batch = Batch()
    batch.add(
      subject: symbols.intern(""), type: symbols.intern(testHeartRate.identifier),
      id: Identifier(UUID()), start: 0, end: 0, value: 60,
      unit: symbols.intern("count/min"), source: source.isEmpty ? 0 : symbols.intern(source))
    try database.commit(batch)
    return HKHealthStore(database: database)
  }

  @Test func `invalid bytes are reported as damage`() async throws {
    do {
      _ = try await query.result(for: store([0xFF, 0, 1]))
      Issue.record("the source was read")
    } catch let error as HKError {
      #expect(error.code == .errorDatabaseInaccessible)
      guard case .damaged? = error.userInfo[NSUnderlyingErrorKey] as? StoreError else {
        Issue.record("\(error) names no file")
        return
      }
    }
  }

  @Test(arguments: [[], Array("a watch".utf8)])
  func `rows without a HealthKit source have the unknown source`(
    source: [UInt8]
  ) async throws {
    let found = try await query.result(for: store(source))
    #expect(found == [HKSourceRevision.unknown.source])
  }
}
