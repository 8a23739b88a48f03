import AppleHealthExport
import Foundation
import HealthStore
import SampleLogSimulation
import Testing

/// The memory cost of an export with a different name in each record.
@Suite struct BoundedNamesTests {
  /// An export whose records are generated on reading.
  final class Generated: ExportInput {
    let byteCount: Int64? = nil
    private var next = 0
    private let count: Int
    private var pending = Array("<HealthData>".utf8)[...]
    private let make: (Int) -> String

    init(count: Int, _ make: @escaping (Int) -> String) {
      self.count = count
      self.make = make
    }

    func read(into buffer: inout MutableRawSpan) throws(ExportError) -> Int {
      while pending.isEmpty, next <= count {
        pending = Array((next < count ? make(next) : "</HealthData>").utf8)[...]
        next += 1
      }
      let part = pending.prefix(buffer.byteCount)
      buffer.withUnsafeMutableBytes { $0.copyBytes(from: part) }
      pending = pending.dropFirst(part.count)
      return part.count
    }
  }

  static let fillings = ["type", "source", "device", "unit", "metadata", "value"]

  /// A record with a unique name of 200 or 2000 bytes.
  static func named(_ filling: String, _ index: Int) -> String {
    let name = "\(index)-" + String(repeating: "n", count: filling == "type" ? 200 : 2000)
    var type = "HKQuantityTypeIdentifierHeartRate"
    var attributes = "unit=\"count/min\" value=\"60\""
    var source = "s"
    var content = ""
    switch filling {
    case "type": type = "HKQuantityTypeIdentifier\(name)"
    case "source": source = name
    case "device": attributes += " device=\"name:\(name)\""
    case "unit": attributes = "unit=\"\(name)\" value=\"60\""
    case "metadata":
      content =
        "<MetadataEntry key=\"HKWeatherHumidity\" value=\"x\"/>"
        + "<MetadataEntry key=\"\(name)\" value=\"\(name)\"/>"
    default: attributes = "unit=\"count/min\" value=\"\(name)\""
    }
    return
      "<Record type=\"\(type)\" sourceName=\"\(source)\" \(attributes) startDate=\"2024-02-01 "
      + "08:00:00 +0100\" endDate=\"2024-02-01 08:00:00 +0100\">\(content)</Record>"
  }

  @Test(.enabled(if: Trials.areThorough), arguments: fillings)
  func `Twenty thousand distinct names take bounded memory`(filling: String)
    async throws
  {
    await #expect(processExitsWith: .success) { [filling = filling as String] in
      let count = 20_000
      let folder = try TemporaryFolder()
      let store = try HKHealthStore(directory: URL(filePath: folder.path + "/store"))
      func importing(_ count: Int) throws -> ImportSummary {
        try ExportImporter(into: store).run(
          ExportReader(Generated(count: count) { BoundedNamesTests.named(filling, $0) }))
      }
      // Excludes the memory of the store and its first commit.
      _ = try importing(1)
      let before = HostileTests.peakMemory()
      let summary = try importing(count)
      guard summary.added + summary.known + summary.rejected == count else {
        fatalError("\(summary.added) added, \(summary.rejected) rejected")
      }
      if filling == "type" {
        guard summary.added + summary.known == 256, summary.unknownTypes.count <= 257,
          summary.problems[.tooManyNames(what: "unknown types")]?.count == count - 256
        else { fatalError("\(summary.problems)") }
      }
      let more = HostileTests.peakMemory() - before
      if more > HostileTests.allowed(48 << 20) { fatalError("It took \(more) bytes.") }
    }
  }

  @Test func `A summary bounds the texts that it keeps, whatever their length`() throws {
    let long = String(repeating: "e\u{301}", count: 100_000)
    let store = HKHealthStore.inMemory()
    let body = (0..<20).map { index in
      record("HKQuantityTypeIdentifier\(index)\(long)")
        + record("HKCategoryTypeIdentifierSleepAnalysis", value: "\(index)\(long)", extra: "")
        + record(extra: "unit=\"\(index)\(long)\"")
        + record().dropLast(2) + "><MetadataEntry key=\"HKWeatherHumidity\" "
        + "value=\"\(index)\(long)\"/></Record>"
    }
    let summary = try ExportImporter(into: store).run(
      ExportReader(MemoryInput(export(body.joined()))))
    #expect(summary.rejected == 60)
    #expect(summary.added == 20)
    for problem in summary.problems.keys { #expect(problem.description.utf8.count < 4000) }
    for key in summary.metadataKeptAsText.keys { #expect(key.utf8.count < 2000) }
  }
}
