import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

extension FuzzTarget {
  /// A record with arbitrary text in one place, between two valid ones that must be imported.
  static let badRecord = FuzzTarget(name: "BadRecord", maximumLength: 1024) { bytes in
    var input = FuzzInput(bytes)
    let place = Int(input.byte())
    // Long texts repeat the short one: mutation does not produce a mebibyte.
    let copies = [1, 1, 1, 100, 2000][Int(input.byte()) % 5]
    let text = [UInt8](repeated: escaped(input.rest), count: copies)
    let head = Array("<HealthData>".utf8) + good(1)
    let document =
      head + bad(place, text) + Array("</Record>".utf8) + good(2) + Array("</HealthData>".utf8)
    let database = try? Database(
      path: Store.path, options: Store.options(toleratesDamage: false),
      fileSystem: MemoryFileSystem())
    guard let database,
      let importer = try? ExportImporter(into: HKHealthStore(database: database)),
      let summary = try? importer.run(ExportReader(MemoryInput(chunks: [document])))
    else { fail("one bad record ends an import") }
    guard summary.reading.end == .complete, summary.added >= 2 else {
      fail("\(summary.added) of two good records are imported")
    }
    let offset = Int64(head.count)
    guard
      summary.added == 3 || summary.problems.values.contains(where: { $0.firstOffset == offset })
        || summary.reading.firstProblems.contains(where: { $0.offset >= offset })
    else { fail("a record is left out and not named") }
    try? database.close()
  } seeds: {
    let texts: [(String, Int, String)] = [
      ("type", 0, "HKQuantityTypeIdentifierOfTomorrow"), ("source", 1, "Ada's Watch"),
      ("device", 2, "<<HKDevice: 0x1>, name:W, model:M>"), ("unit", 3, "mmol<180.1558800000541>/L"),
      ("start", 4, "2025-02-30 21:07:25 +0200"), ("end", 5, "2000-01-01 00:00:00 +0000"),
      ("value", 6, "1e999"), ("attribute", 7, "Health App Version"),
      ("sync", 8, "1.5"), ("key", 9, "HKMetadataKeySyncVersion"), ("quantity", 10, "nan degC"),
    ]
    return texts.flatMap { name, place, text in
      [
        Seed(name, [UInt8(place), 0] + text.utf8),
        Seed(name + "-long", [UInt8(place), 4] + text.utf8),
      ]
    }
  }

  private static let time = "2025-06-30 21:07:25 +0200"

  private static func good(_ value: Int) -> [UInt8] {
    Array(
      ("<Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"s\" unit=\"count/min\" "
        + "startDate=\"\(time)\" endDate=\"\(time)\" value=\"\(value)\"/>").utf8)
  }

  /// Returns a record without its end tag, with one text replaced.
  private static func bad(_ place: Int, _ text: [UInt8]) -> [UInt8] {
    var texts: [[UInt8]] = [
      "HKQuantityTypeIdentifierHeartRate", "s", "W", "count/min", time, time, "60", "x", "1", "k",
      "5 degC",
    ].map { Array($0.utf8) }
    texts[place % texts.count] = text
    let names: [(before: String, text: Int)] = [
      ("<Record type=\"", 0), ("\" sourceName=\"", 1), ("\" device=\"", 2), ("\" unit=\"", 3),
      ("\" startDate=\"", 4), ("\" endDate=\"", 5), ("\" value=\"", 6), ("\" other=\"", 7),
      ("\"><MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"", 8),
      ("\"/><MetadataEntry value=\"v\" key=\"", 9),
      ("\"/><MetadataEntry key=\"HKWeatherTemperature\" value=\"", 10),
    ]
    return names.flatMap { Array($0.before.utf8) + texts[$0.text] } + Array("\"/>".utf8)
  }

  /// Escapes a text as an XML writer does, so that it cannot end the value.
  private static func escaped(_ text: UnsafeRawBufferPointer) -> [UInt8] {
    text.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "<"): Array("&lt;".utf8)
      case UInt8(ascii: "\""): Array("&quot;".utf8)
      default: [byte]
      }
    }
  }
}

extension [UInt8] {
  fileprivate init(repeated bytes: [UInt8], count: Int) {
    self = []
    reserveCapacity(bytes.count * count)
    for _ in 0..<count { self += bytes }
  }
}
