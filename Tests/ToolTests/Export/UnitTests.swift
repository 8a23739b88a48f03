import AppleHealthExport
import Foundation
import HealthStore
import SampleLog
import Testing

@testable import HealthStoreTool

/// Values with units of their own: each format converts them or includes the unit.
@Suite struct UnitTests {
  /// Collects all quantities in JSON as `unit: values`.
  private func quantities(_ value: Any, into found: inout [String: [Double]]) {
    if let object = value as? [String: Any] {
      if let unit = object["unit"] as? String, let number = object["value"] as? Double {
        found[unit, default: []].append(number)
      }
      for value in object.values { quantities(value, into: &found) }
    } else if let array = value as? [Any] {
      for value in array { quantities(value, into: &found) }
    }
  }

  private func details(_ path: String, _ type: String, _ format: String) throws -> [[String: Any]] {
    let out = try ToolProcess.output(
      "query", "--store", path, "--type", type, "--all-subjects", "--format", format)
    guard format == "csv" else {
      return try ToolRun(status: 0, out: out, error: "").objects()
        .compactMap { $0["details"] as? [String: Any] }
    }
    var reader = try RecordReader(MemoryInput(chunks: [Array(out.utf8)]), .csv)
    var found: [[String: Any]] = []
    while let record = try reader.next() {
      guard let details = record["details"] else { continue }
      found.append(try #require(details.plain as? [String: Any]))
    }
    return found
  }

  @Test func `Voltages are in volts, whatever their unit in a file`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(ofCase: "ecg")
    let rows = try ToolProcess.ask(
      """
      SELECT round(p.value * 1e9), p.unit FROM point p JOIN sample s ON s.uuid = p.sample
      ORDER BY s.start_date, number
      """, ofExport: path)
    #expect(
      rows == [
        "-265868.0|V", "-271819.0|V", "12000.0|V", "500.0|V",
        "-265868000.0|V", "-271819000.0|V", "12000000.0|V", "500000.0|V",
      ])
    for format in ["csv", "json", "jsonl"] {
      let details = try details(path, "electrocardiogram", format)
      #expect(details.map { $0["voltageUnit"] as? String } == ["mcV", "mV"])
      #expect(details.map { $0["voltages"] as? Double } == [4, 4])
      for one in details {
        let frequency = one["samplingFrequency"] as? [String: Any]
        #expect(frequency?["value"] as? Double == 512 && frequency?["unit"] as? String == "Hz")
      }
    }
  }

  @Test func `The last series of an export has all of its points`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(ofCase: "ecg")
    let lines = (0..<5000).map { "\($0).25" }.joined(separator: "\n")
    let header = """
      Name,Test
      Recorded Date,2027-08-20 18:15:35 +0100
      Classification,Sinus Rhythm
      Symptoms,
      Software Version,1.90
      Device,"Watch7,11"
      Sample Rate,512 hertz

      Lead,Lead I
      Unit,µV


      """
    let export = folder.path + "/more"
    try FileManager.default.createDirectory(
      atPath: export + "/electrocardiograms", withIntermediateDirectories: true)
    try folder.write("more/electrocardiograms/ecg_1.csv", header + lines + "\n")
    try folder.write(
      "more/export.xml",
      "<HealthData locale=\"en_GB\"><ExportDate value=\"2026-09-08 08:55:02 +0100\"/></HealthData>")
    let run = try ToolProcess.run(["import", export, "--store", path])
    #expect(run.status == 0, "\(run.error)")
    let question = "SELECT count(*), max(value) FROM point GROUP BY sample ORDER BY 1"
    let rows = try ToolProcess.ask(question, ofExport: path, "--type electrocardiogram")
    #expect(rows.last == "5000|0.00499925", "\(rows)")
  }

  @Test func `Every value of every family has a unit in every format`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    // The expected values are read through the library's own objects.
    let database = try StoreOpening.reading(path)
    let words = RowWords(database)
    let snapshot = database.snapshot()
    let objects = StoredObjects(words.reader, snapshot)
    var audiograms = 0
    var lenses = 0
    for row in try snapshot.select(
      SeriesSelection(), order: .start(ascending: true))
    {
      guard let sample = try objects.sample(of: row) else { continue }
      let uuid = sample.uuid.uuidString
      let json = try ToolProcess.output(
        "query", "--store", path, "--uuid", uuid, "--format", "jsonl")
      let object = try #require(try ToolRun(status: 0, out: json, error: "").objects().first)
      var found: [String: [Double]] = [:]
      quantities(object["details"] ?? [:], into: &found)
      func expect(_ quantities: [HKQuantity?]) {
        for case let quantity? in quantities {
          #expect(found[quantity.unit.unitString]?.contains(quantity.value) == true, "\(json)")
        }
      }
      switch sample {
      case let sample as HKAudiogramSample:
        audiograms += 1
        expect(sample.sensitivityPoints.map(\.frequency))
        expect(sample.sensitivityPoints.flatMap(\.tests).map(\.sensitivity))
      case let sample as HKGlassesPrescription:
        lenses += 1
        for lens in [sample.rightEye, sample.leftEye] {
          expect([lens?.sphere, lens?.axis, lens?.vertexDistance, lens?.nearPupillaryDistance])
        }
      case let sample as HKContactsPrescription:
        lenses += 1
        for lens in [sample.rightEye, sample.leftEye] {
          expect([lens?.sphere, lens?.cylinder, lens?.baseCurve, lens?.diameter])
        }
      case let sample as HKElectrocardiogram:
        expect([sample.averageHeartRate, sample.samplingFrequency])
      case let sample as HKWorkout:
        expect([sample.totalDistance, sample.totalEnergyBurned])
        #expect(found["s"]?.contains(sample.duration) == true)
      case is HKQuantitySample: #expect((object["unit"] as? String)?.isEmpty == false)
      default: break
      }
    }
    #expect(audiograms > 0 && lenses > 0)
    // The other tables of SQL have a unit column for values with their own units, and fixed units
    // elsewhere.
    let points = try ToolProcess.ask(
      """
      SELECT type, group_concat(DISTINCT coalesce(p.unit, '')) FROM point p
      JOIN sample s ON s.uuid = p.sample GROUP BY type ORDER BY type
      """, ofExport: path)
    #expect(
      points.contains("electrocardiogram|V") && points.contains("stepCount|count")
        && points.contains("workoutRoute|") && points.contains("heartbeatSeries|"), "\(points)")
    let missing = try ToolProcess.ask(
      """
      SELECT count(*) FROM workout_statistics WHERE unit IS NULL;
      SELECT count(*) FROM sample WHERE details IS NULL AND type IN ('workout',
       'audiogramSample', 'electrocardiogram', 'visionPrescription', 'stateOfMind', 'gad7', 'phq9')
      """, ofExport: path)
    #expect(missing == ["0", "0"])
  }
}

extension JSONValue {
  /// The value in the form of `JSONSerialization`.
  var plain: Any {
    switch self {
    case .object(let members): members.mapValues(\.plain)
    case .array(let values): values.map(\.plain)
    case .text(let text), .cell(let text): text
    case .number(let number): number
    case .integer(let number): Double(number)
    case .truth(let value): value
    case .null: NSNull()
    }
  }
}
