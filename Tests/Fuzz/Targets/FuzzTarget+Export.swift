import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

extension FuzzTarget {
  /// Export documents, handed over in pieces of a size that the first byte says.
  static let export = FuzzTarget(name: "Export", maximumLength: 8192) { bytes in
    var input = FuzzInput(bytes)
    let reader = exportReader(&input)
    var items = 0
    while let item = try? reader.next() {
      items += 1
      if case .record(let record) = item { _ = record.type.utf8.count }
    }
    if reader.summary.items != items { fail("the summary counts \(reader.summary.items) items") }
  } seeds: {
    exportSeeds
  }

  /// The same documents imported into a store in memory.
  static let exportImport = FuzzTarget(name: "Import", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    let reader = exportReader(&input)
    let database = try? Database(
      path: Store.path, options: Store.options(toleratesDamage: false),
      fileSystem: MemoryFileSystem())
    guard let database,
      let importer = try? ExportImporter(into: HKHealthStore(database: database))
    else { fail("no store in memory") }
    _ = try? importer.run(reader)
    Store.ask(database)
    try? database.close()
  } seeds: {
    exportSeeds
  }

  private static func exportReader(_ input: inout FuzzInput) -> ExportReader {
    let piece = Int(input.byte()) + 1
    let content = [UInt8](input.rest)
    let chunks = stride(from: 0, to: content.count, by: piece * 16).map {
      Array(content[$0..<min($0 + piece * 16, content.count)])
    }
    return ExportReader(MemoryInput(chunks: chunks), capacity: piece)
  }

  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [<!ELEMENT HealthData (Record*)>]>
    <HealthData locale="en_GB"><ExportDate value="2025-06-30 21:07:25 +0200"/>
    <Me HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet"/>

    """

  private static let record = """
    <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Ada&#8217;s Watch" \
    sourceVersion="11.2" unit="count/min" device="&lt;&lt;HKDevice: 0x1&gt;, name:W, model:M&gt;" \
    creationDate="2025-06-30 21:07:25 +0200" startDate="2025-06-30 21:07:25 +0200" \
    endDate="2025-06-30 21:07:25 +0200" value="61.5">
    <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/></Record>

    """

  private static var exportSeeds: [Seed] {
    let times = "startDate=\"2025-06-30 21:07:25 +0200\" endDate=\"2025-06-30 21:08:25 +0200\""
    let bodies: [(String, String)] = [
      ("record", record), ("twice", record + record),
      (
        "correlation",
        "<Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"s\" \(times)>"
          + record + "</Correlation>"
      ),
      (
        "workout",
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"1\" "
          + "durationUnit=\"min\" sourceName=\"s\" \(times)><WorkoutEvent "
          + "type=\"HKWorkoutEventTypePause\" date=\"2025-06-30 21:07:25 +0200\"/>"
          + "<WorkoutRoute sourceName=\"s\" \(times)><FileReference path=\"/r.gpx\"/>"
          + "</WorkoutRoute></Workout>"
      ),
      (
        "category",
        "<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" sourceName=\"s\" \(times) "
          + "value=\"HKCategoryValueSleepAnalysisAsleepCore\"/>"
      ),
    ]
    return bodies.map { Seed($0.0, [40] + Array((head + $0.1 + "</HealthData>").utf8)) }
  }

  /// Archives, read through the `unzip` program where there is one.
  static let zip = FuzzTarget(name: "Zip", maximumLength: 4096) { bytes in
    let path = NSTemporaryDirectory() + "fuzz-\(ProcessInfo.processInfo.processIdentifier).zip"
    guard (try? Data(bytes).write(to: URL(fileURLWithPath: path))) != nil else { return }
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard let input = try? ExportSource.open(path) else { return }
    let reader = ExportReader(input)
    while (try? reader.next()) != nil {}
  } seeds: {
    let document = Array((head + record + "</HealthData>").utf8)
    return [
      Seed("one", StoredZip.archive([("apple_health_export/export.xml", document)])),
      Seed(
        "hostile-names",
        StoredZip.archive([
          ("../../../etc/export.xml", document), ("-o[*]?\\.xml", document), ("/export.xml", []),
        ])),
    ]
  }
}
