import AppleHealthExport
import Foundation
import HealthStore
import SampleLogSimulation
import Testing

/// An export with one damaged record.
@Suite struct OneBadRecordTests {
  /// A record in parts, each of which can be damaged.
  struct Parts {
    var attributes: [(name: String, value: String)]
    var children: [String] = []
    /// The end of the start tag of a record with children, and the end of the record.
    var end = "</Record>"

    init(second: Int) {
      let time = "2024-02-01 08:\(10 + second / 60):\(10 + second % 50) +0100"
      attributes = [
        ("type", "HKQuantityTypeIdentifierHeartRate"), ("sourceName", "Watch"),
        ("sourceVersion", "10"), ("device", "&lt;&lt;HKDevice: 0x1&gt;, name:W, model:M&gt;"),
        ("unit", "count/min"), ("creationDate", time), ("startDate", time), ("endDate", time),
        ("value", "\(60 + second)"),
      ]
      children = ["<MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"1\"/>"]
    }

    var text: String {
      let attributes = attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
      return "<Record\(attributes)>\(children.joined())\(end)"
    }
  }

  private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

  private static let oddMetadata = [
    ("HKMetadataKeySyncVersion", "1.5"), ("HKMetadataKeySyncVersion", "1e999"),
    ("HKMetadataKeySyncVersion", "two"), ("HKMetadataKeySyncIdentifier", long(70_000)),
    ("HKWeatherHumidity", "inf %"), ("HKWeatherHumidity", "nan %"), ("HKWeatherHumidity", ""),
    ("HKWeatherTemperature", "1e999 degC"), ("HKWeatherTemperature", "5 nonsense"),
    ("HKDateOfEarliestDataUsedForEstimate", "9999-99-99"), ("HKWasUserEntered", "maybe"),
    ("HKExternalUUID", ""), ("", ""), (long(70_000), "v"), ("k", long(900_000)),
  ]

  /// Damages a record and returns a description of the damage.
  static func spoil(_ parts: inout Parts, _ random: inout Seeded) -> String {
    let index = Int.random(in: 0..<parts.attributes.count, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      let count = [1 << 20 + 1, 3 << 20].randomElement(using: &random) ?? 0
      parts.attributes[index].value = long(count)
      return "\(count) bytes of \(parts.attributes[index].name)"
    case 1:
      parts.attributes[index].value = long(70_000)
      return "70,000 bytes of \(parts.attributes[index].name)"
    case 2:
      parts.attributes.removeAll { ["type", "unit"].contains($0.name) }
      parts.attributes.append(("type", "HKQuantityTypeIdentifierOfTomorrow"))
      if Bool.random(using: &random) { parts.attributes.append(("unit", "furlong")) }
      return "an unknown type"
    case 3:
      let value = ["", "sixty", "nan", "inf", "-1e999", "0x", "6 0"].randomElement(using: &random)
      parts.attributes[8].value = value ?? ""
      return "a bad number"
    case 4:
      let place = Int.random(in: 6...7, using: &random)
      let value = [
        "", "2024-02-30 08:00:00 +0100", "0000-01-01 00:00:00 +0000", "now",
        "99999-01-01 00:00:00 +0000", "2024-02-01 08:00:00",
      ].randomElement(using: &random)
      parts.attributes[place].value = value ?? ""
      return "a bad date"
    case 5:
      parts.attributes[7].value = "2000-01-01 00:00:00 +0000"
      return "an end before the start"
    case 6:
      return "no \(parts.attributes.remove(at: index).name)"
    case 7:
      for number in 0..<300 { parts.attributes.append(("a\(number)", "")) }
      return "too many attributes"
    case 8:
      let odd = oddMetadata.randomElement(using: &random) ?? ("", "")
      let copies = odd.1.count > 100_000 ? 3 : 1
      for number in 0..<copies {
        let key = copies > 1 ? odd.0 + "\(number)" : odd.0
        parts.children.append("<MetadataEntry key=\"\(key)\" value=\"\(odd.1)\"/>")
      }
      return "metadata \(odd.0.prefix(40)) = \(odd.1.prefix(20))"
    case 9:
      parts.children.append("<MetadataEntry key=\"\(long(2 << 20))\" value=\"v\"/>")
      return "a key that is too long"
    case 10:
      parts.children.append(String(repeating: "<Deep>", count: 100))
      if Bool.random(using: &random) {
        parts.children.append(String(repeating: "</Deep>", count: 100))
      }
      return "nesting that is too deep"
    default:
      let ends = ["", "</Rec", "</Record", "<MetadataEntry key=\"k", "</Other>"]
      parts.end = ends.randomElement(using: &random) ?? ""
      // An open quote ends at the next one, which belongs to the next record.
      if parts.end.hasSuffix("k") { parts.end += "\"" }
      return "an end that is \"\(parts.end)\""
    }
  }

  @Test func `One bad record is named, and all others are imported`()
    async throws
  {
    for seed in 0..<Trials.count(400, quick: 150) {
      var random = Seeded(state: UInt64(seed))
      let count = Int.random(in: 3...12, using: &random)
      let bad = Int.random(in: 0..<count, using: &random)
      var text = "<HealthData>\n"
      var what = ""
      var place: Int64 = 0
      for index in 0..<count {
        var parts = Parts(second: index)
        if index == bad {
          what = Self.spoil(&parts, &random)
          place = Int64(text.utf8.count)
        }
        text += parts.text + "\n"
      }
      text += "</HealthData>\n"
      let store = HKHealthStore.inMemory()
      let capacity = [7, 4096, 256 << 10].randomElement(using: &random) ?? 7
      let summary = try ExportImporter(into: store).run(
        ExportReader(MemoryInput(text), capacity: capacity))
      #expect(summary.reading.end == .complete, "seed \(seed): \(what)")
      let samples = try await HKSampleQueryDescriptor(
        predicates: [.quantitySample(type: HKQuantityType(.heartRate))],
        sortDescriptors: [SortDescriptor(\.startDate)]
      ).result(for: store)
      let values = Set(samples.map { $0.quantity.doubleValue(for: HKUnit(from: "count/min")) })
      for index in 0..<count where index != bad {
        #expect(values.contains(Double(60 + index)), "seed \(seed): \(what), record \(index)")
      }
      let named =
        summary.problems.values.contains { $0.firstOffset == place }
        || summary.unknownTypes.values.contains { $0.firstOffset == place }
        || summary.reading.firstProblems.contains { $0.offset >= place }
      #expect(named || summary.added == count, "seed \(seed): \(what) is not named")
    }
  }

  @Test func `Everything before a cut is imported, wherever the cut is`() throws {
    let records = (0..<6).map { Parts(second: $0).text }
    let text = "<HealthData>" + records.joined() + "</HealthData>"
    var ends: [Int] = []
    for record in records {
      ends.append((ends.last ?? "<HealthData>".utf8.count) + record.utf8.count)
    }
    for length in stride(from: 13, to: text.utf8.count, by: 7) {
      let store = HKHealthStore.inMemory()
      let part = Array(text.utf8.prefix(length))
      let summary = try ExportImporter(into: store).run(
        ExportReader(MemoryInput(chunks: [part])))
      guard case .truncated? = summary.reading.end else {
        Issue.record("\(length) bytes")
        continue
      }
      #expect(summary.added == ends.count { $0 <= length }, "\(length) bytes")
    }
  }

  @Test
  func `A read error ends the import, and the store keeps everything read before it`()
    throws
  {
    final class Failing: ExportInput {
      let byteCount: Int64? = nil
      private let text: MemoryInput

      init(_ text: String) { self.text = MemoryInput(text) }

      func read(into buffer: inout MutableRawSpan) throws(ExportError) -> Int {
        let count = try text.read(into: &buffer)
        if count == 0 { throw .cannotRead(reason: "the disk is gone") }
        return count
      }
    }
    let records = (0..<6).map { Parts(second: $0).text }.joined()
    let store = HKHealthStore.inMemory()
    let importer = try ExportImporter(into: store)
    #expect(throws: ExportError.cannotRead(reason: "the disk is gone")) {
      try importer.run(ExportReader(Failing("<HealthData>" + records + "<Record")))
    }
    #expect(importer.summary.added == 6)
  }

  @Test
  func `A damaged archive is imported up to the damage and then throws`()
    throws
  {
    let folder = try TemporaryFolder()
    let records = (0..<6).map { Parts(second: $0).text }.joined()
    var bytes = ZipFile([("export.xml", Array("<HealthData>\(records) </HealthData>".utf8))]).bytes
    // Changed white space, which only the checksum detects.
    let place = try #require(bytes.firstRange(of: Array(" </HealthData>".utf8)))
    bytes[place.lowerBound] = 9
    let path = try folder.write("e.zip", bytes)
    let importer = try ExportImporter(into: HKHealthStore.inMemory())
    #expect(throws: ExportError.unzipFailed(path: path, status: 2)) {
      try importer.run(ExportReader(ExportSource.open(path)))
    }
    #expect(importer.summary.added == 6)
  }
}
