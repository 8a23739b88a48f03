import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

/// Reads the export named by the environment variable `EXPORT`, and a synthetic one.
@Suite struct RealExportTests {
  /// 8,038 records of 28 types: tests/test-export.zip of k0rventen/apple-health-grafana.
  static let expected = (records: 8038, types: 28, distinct: 8024, beats: 13081)

  struct Census {
    var records = 0
    var types: Set<String> = []
    var heartRates: [Double] = []
    var steps = 0.0
    var beats = 0
    var uuids: Set<UUID> = []
    var firstUUIDs: Set<UUID> = []

    init(_ items: [ExportItem]) {
      var identities = NumberedIdentities()
      for record in items.records {
        records += 1
        types.insert(record.type)
        beats += record.beats.count
        let value = record.value.flatMap { Double($0) } ?? 0
        if record.type == "HKQuantityTypeIdentifierHeartRate" { heartRates.append(value) }
        if record.type == "HKQuantityTypeIdentifierStepCount" { steps += value }
        uuids.insert(identities.uuid(of: record))
        var alone = NumberedIdentities()
        firstUUIDs.insert(alone.uuid(of: record))
      }
    }
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["EXPORT"] != nil))
  func `A real export gives its known records, values and identifiers`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["EXPORT"])
    let (items, summary) = try read(ExportReader(ExportSource.open(path)))
    let census = Census(items)
    #expect(summary.end == .complete)
    #expect(summary.problems.isEmpty)
    #expect(summary.unknownElements.isEmpty)
    #expect(census.records == Self.expected.records)
    #expect(census.types.count == Self.expected.types)
    #expect(census.beats == Self.expected.beats)
    #expect(census.heartRates.count == 400)
    #expect(census.heartRates.min() == 43)
    #expect(census.heartRates.max() == 116)
    let mean = census.heartRates.reduce(0, +) / 400
    #expect((mean * 1000).rounded() == 59634)
    #expect(census.steps == 22374)
    #expect(census.uuids.count == Self.expected.records)
    #expect(census.firstUUIDs.count == Self.expected.distinct)
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["EXPORT"] != nil))
  func `A real export survives exporting, and a plain one keeps its number of samples`()
    throws
  {
    let path = try #require(ProcessInfo.processInfo.environment["EXPORT"])
    let folder = try TemporaryFolder()
    func importing(_ path: String) throws -> (HKHealthStore, ImportSummary) {
      let store = HKHealthStore.inMemory()
      let (document, files) = try ExportSource.contents(of: path)
      return (store, try ExportImporter(into: store).run(ExportReader(document), files: files))
    }
    let (store, summary) = try importing(path)
    #expect(summary.rejected == 0)
    #expect(summary.types[HKSeriesType.heartbeat().identifier]?.added == 400)
    for isPlain in [false, true] {
      let out = "\(folder.path)/\(isPlain)"
      let written = try ExportWriter(from: store, options: .init(isPlain: isPlain)).write(to: out)
      #expect(written.written == summary.added)
      let (copy, again) = try importing(out)
      #expect(again.types == summary.types)
      #expect(again.broken == nil)
      if !isPlain { #expect(try StoreContents(copy) == StoreContents(store)) }
    }
  }

  @Test
  func `A synthetic export of 20,000 records gives its known records, values and identifiers`()
    throws
  {
    let heartRates = (0..<10_000).map { index in
      // Every hundredth record is an exact duplicate of the previous one.
      record(
        value: "\(50 + (index % 100 == 99 ? 98 : index % 100))",
        start: "2024-02-01 08:\(10 + (index % 100 == 99 ? index - 1 : index) / 1000):00 +0100",
        extra: "unit=\"count/min\" sourceVersion=\"\(index / 100)\""
      )
      .replacing("Watch\"", with: "Watch \(index / 100)\"")
    }
    let steps = (0..<10_000).map {
      record("HKQuantityTypeIdentifierStepCount", value: "\($0)", extra: "unit=\"count\"")
    }
    let census = Census(try read(export((heartRates + steps).joined(separator: "\n"))).items)
    #expect(census.records == 20_000)
    #expect(census.types.count == 2)
    #expect(census.heartRates.count == 10_000)
    #expect(census.heartRates.max() == 148)
    #expect(census.steps == 49_995_000)
    #expect(census.uuids.count == 20_000)
    #expect(census.firstUUIDs.count == 19_900)
  }
}
