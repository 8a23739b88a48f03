import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

extension FuzzTarget {
  /// Export documents, parsed in chunks of a size that the first byte determines.
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
        "nested",
        "<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" sourceName=\"s\" "
          + "\(times)><WorkoutActivity \(times)><WorkoutEvent type=\"HKWorkoutEventTypeLap\" "
          + "date=\"2025-06-30 21:07:25 +0200\"/><WorkoutStatistics sum=\"4\" unit=\"km\" "
          + "type=\"HKQuantityTypeIdentifierDistanceWalkingRunning\" \(times)/></WorkoutActivity>"
          + "<WorkoutZoneGroup><WorkoutZone/></WorkoutZoneGroup><Record sourceName=\"s\" "
          + "type=\"HKQuantityTypeIdentifierWorkoutEffortScore\" unit=\"appleEffortScore\" "
          + "\(times) value=\"4\"/>\(record)</Workout>"
      ),
      (
        "synced",
        record.replacing(
          "</Record>",
          with: "<MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"a\"/>"
            + "<MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"1\"/></Record>")
      ),
      (
        "category",
        "<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" sourceName=\"s\" \(times) "
          + "value=\"HKCategoryValueSleepAnalysisAsleepCore\"/>"
      ),
    ]
    let seeds = (bodies + [("records", records(times))]).map { name, body in
      (name, head + body + "</HealthData>")
    }
    let own = head.replacing("<HealthData", with: "<HealthData store:version=\"1\"")
    return (seeds + [("stored", own + stored + "</HealthData>")]).map {
      Seed($0.0, [40] + Array($0.1.utf8))
    }
  }

  /// A heartbeat series and a setting, as this library exports them.
  private static let stored = """
    <store:Sample store:uuid="61FE563D-D89D-8B07-BA09-213EB3F5AD04" \
    store:type="HKDataTypeIdentifierHeartbeatSeries" store:start="631149629.0" \
    store:end="631149695.0" store:value="0.0" \
    store:source="AQt0ZXN0LWRldmljZQt0ZXN0LWRldmljZQEFNi4yLjgAAAAA" \
    store:device="AQEMRHVtbXkgZGV2aWNlAAAAAAAAAA==" store:extras="AgEEAwIBIA=="></store:Sample>
    <store:Row store:uuid="61FE563D-D89D-8B07-BA09-213EB3F5AD05" \
    store:type="HKDataTypeIdentifierHeartbeatSeries" store:role="points" \
    store:start="631149629.0" store:end="631149695.0"><store:Part value="AgEQ"/></store:Row>
    <Record type="HKQuantityTypeIdentifierStepCount" unit="count" sourceName="s" value="7" \
    startDate="2024-02-01 08:00:00 +0000" endDate="2024-02-01 08:00:00 +0000" \
    store:uuid="61FE563D-D89D-8B07-BA09-213EB3F5AD06"/>
    <store:Setting name="unit/HKQuantityTypeIdentifierBodyMass" value="AWtn"/>

    """

  /// A heart rate variability with heartbeats, a hearing test, a prescription and a clinical
  /// record.
  private static func records(_ times: String) -> String {
    """
    <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="s" unit="ms" \
    \(times) value="45"><HeartRateVariabilityMetadataList><InstantaneousBeatsPerMinute bpm="60" \
    time="9:07:27.00 PM"/></HeartRateVariabilityMetadataList></Record>
    <Audiogram sourceName="s" \(times)><SensitivityPoint frequencyValue="500" \
    frequencyUnit="Hz" leftEarValue="20" leftEarUnit="dBHL" leftEarMasked="1" \
    leftEarClampingRangeUpperBound="90"/></Audiogram>
    <VisionPrescription type="glasses" dateIssued="2025-06-30" expirationDate="2026-06-30">
    <RightEye sphere="-1.5" sphereUnit="D" axis="90" prismAmount="2" prismAngle="90"/>
    </VisionPrescription><ClinicalRecord type="Condition" identifier="i" sourceName="s" \
    sourceURL="https://a" fhirVersion="4.0.1" receivedDate="2025-06-30 21:07:25 +0200" \
    resourceFilePath="/clinical-records/c.json"/>
    """
  }

  /// Archives, read with the `unzip` program if it is installed.
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
