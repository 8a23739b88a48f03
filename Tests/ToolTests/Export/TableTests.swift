import Foundation
import HealthStore
import SampleLog
import Testing

@testable import HealthStoreTool

/// Exports as Parquet and Arrow have the content of exports as JSON lines.
@Suite struct TableTests {
  static let formats = ["parquet", "arrow"]

  /// Dates in 1600, 1970 and 2300 and ten thousand and a million years away, and dates with
  /// fractions that whole microseconds can or cannot represent.
  static let unusualDates = [
    0, -0.0, 1, -1, 0.5, -978_307_200, -978_307_201.25, -12_600_000_000, 9_435_484_800.125,
    8_300_000_000.000_001, 3.2e11, -3.2e13, 1e18, -1e18, 1e300, -1e300, 0x1p-1074, 0.1 + 0.2,
    730_000_000.000_000_1, 730_000_000.123_456, 730_000_000.123_456_7,
    -730_000_000.123_456, 9_007_199_254.740_993, 4_611_686_018_427.387, 4_611_686_018_427.388,
  ]

  static let unusualValues: [Double] = [
    .nan, .infinity, -.infinity, -0.0, 0, Double(bitPattern: 0xFFF8_0000_0000_1234),
    Double(bitPattern: 0x12_3456),
    .greatestFiniteMagnitude, 0.1,
  ]

  private func read(
    _ store: String, _ format: String, _ more: [String]
  ) throws -> (reader: any TableReader, error: String) {
    let folder = try TestFolder()
    let file = folder.store("samples")
    let run = try ToolProcess.shell(
      "\"$tool\" export --store \"$store\" $more --format $format > \"$file\"",
      ["store": store, "format": format, "file": file, "more": more.joined(separator: " ")])
    #expect(run.status == 0, "\(run.error)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    return (try format == "arrow" ? ArrowReader(bytes) : ParquetReader(bytes), run.error)
  }

  /// Exports a store in a format and as JSON lines and compares all rows.
  @discardableResult
  private func compare(
    _ store: String, _ format: String, _ more: String...
  ) throws -> any TableReader {
    let lines = try ToolProcess.run(["export", "--store", store, "--format", "jsonl"] + more)
    #expect(lines.status == 0, "\(lines.error)")
    let (reader, error) = try read(store, format, more)
    #expect(error == lines.error)
    let expected = try lines.objects().map { $0 as NSDictionary }
    let rows = try reader.objects()
    #expect(rows.count == expected.count)
    for (row, object) in zip(rows, expected) { #expect(row == object) }
    return reader
  }

  @Test(arguments: formats)
  func `Every family of sample is a row with the same fields`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    let reader = try compare(path, format, "--all-subjects")
    #expect(try reader.objects().count >= 32)
    // Every column has a value in some row, so each was compared.
    for name in reader.names where !name.hasSuffix("_exact") {
      #expect(reader.column(name).contains { $0 != nil }, "\(name)")
    }
  }

  @Test(arguments: formats)
  func `Activity summaries are exported as rows`(format: String) throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(
      elements: """
        <ActivitySummary dateComponents="2024-02-01" activeEnergyBurned="420" \
        activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kcal" appleExerciseTime="31" \
        appleExerciseTimeGoal="30" appleStandHours="11" appleStandHoursGoal="12"/>
        """)
    let reader = try compare(path, format)
    #expect(try reader.objects().count == 1)
  }

  @Test(arguments: formats, ["", "--type heartRate", "--after"])
  func `A store without samples is exported as a file without rows`(
    format: String, options: String
  ) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [])
    var more = options.split(separator: " ").map(String.init)
    if options == "--after" {
      let anchor = try ToolProcess.run(["export", "--store", path, "--format", "jsonl"]).anchor
      more.append(try #require(anchor))
    }
    let reader = try read(path, format, more).reader
    #expect(try reader.objects().isEmpty)
    #expect(reader.names.contains("kind") == (options == "--after"))
    #expect(reader.names.suffix(2) == ["start_exact", "end_exact"])
  }

  @Test(arguments: formats)
  func `Changes are exported as rows with their kind`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(subject: "ada", heartRates: [60, 61])
    _ = try await folder.makeStore(subject: "bob", heartRates: [70])
    let anchor = try #require(
      try ToolProcess.run(["export", "--store", path, "--format", "jsonl"]).anchor)
    let delete = ["delete", path, "--subject", "ada", "--type", "heartRate", "--yes"]
    #expect(try ToolProcess.run(delete).status == 0)
    _ = try await folder.makeStore(subject: "ada", heartRates: [62])
    #expect(try ToolProcess.run(["erase", path, "--subject", "bob", "--yes"]).status == 0)
    let reader = try compare(path, format, "--all-subjects", "--after", anchor)
    let kinds = try reader.objects().compactMap { $0["kind"] as? String }
    #expect(Set(kinds) == ["added", "deleted", "erased"])
  }

  @Test(arguments: formats)
  func `Dates of any range and precision are exported bit for bit`(format: String) throws {
    let folder = try TestFolder()
    let samples = Self.unusualDates.flatMap { date in
      [0, 1e-7, 60, 1e9].map { (date, date + $0, 1.0) }
    }
    let path = try folder.makeStore(samples)
    let reader = try compare(path, format)
    let starts = zip(reader.column("start"), reader.column("start_exact"))
    #expect(starts.contains { $0 != nil && $1 == nil })
    #expect(starts.contains { $0 != nil && $1 != nil })
    #expect(starts.contains { $0 == nil && $1 != nil })
    let exact = reader.column("start_exact").compactMap { cell -> Double? in
      if case .double(let bits) = cell { Double(bitPattern: bits) } else { nil }
    }
    #expect(Set(exact.map(\.bitPattern)).isSubset(of: Set(Self.unusualDates.map(\.bitPattern))))
  }

  @Test(arguments: formats)
  func `Values that JSON cannot express are exported bit for bit`(format: String) throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(
      Self.unusualValues.enumerated().map { (Double($0), Double($0), $1) })
    let reader = try compare(path, format)
    #expect(reader.column("value") == Self.unusualValues.map { .double($0.bitPattern) })
  }

  @Test(arguments: formats)
  func `Samples are divided into row groups`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    let whole = try folder.table(of: path, format, SampleTable.Limits())
    #expect(whole.groupCount == 1)
    let parts = try folder.table(of: path, format, SampleTable.Limits(rowCount: 5))
    #expect(parts.groupCount == ((try whole.reader.objects().count) + 4) / 5)
    #expect(try parts.reader.objects() == whole.reader.objects())
  }

  @Test(arguments: formats, [(10, 1), (24, 2)])
  func `A row group ends at a limit on the size of its texts`(
    format: String, counts: (texts: Int, groups: Int)
  ) throws {
    let folder = try TestFolder()
    let path = folder.store()
    let database = try Database(path: path)
    var batch = database.makeBatch()
    for index in 0..<24 {
      var extras = Extras()
      extras.metadata = try MetadataCoding.encode([
        "text": String(
          repeating: Character(UnicodeScalar(UInt8(97 + index % counts.texts))), count: 1000)
      ])
      batch.add(
        to: database.series(subject: "", type: HKQuantityTypeIdentifier.bodyMass.rawValue),
        start: Double(index), value: 1, unit: database.name("kg"),
        extras: batch.intern(extras: extras.encoded))
    }
    try database.commit(batch)
    try database.close()
    // Equal texts are stored once.
    let limits = SampleTable.Limits(textByteCount: 16_000)
    #expect(try folder.table(of: path, format, limits).groupCount == counts.groups)
  }

  @Test(arguments: formats)
  func `Contents above the size limit are an error`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    let limits = SampleTable.Limits(contentsByteCount: 100)
    let failure = try #require(throws: Failure.self) { try folder.bytes(of: path, format, limits) }
    #expect(failure.sentence.contains("Export it as jsonl."))
  }

  @Test(arguments: formats)
  func `Binary formats are not written to a terminal`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let run = try ToolProcess.shell(
      "script -qec '\"$tool\" export --store \"$store\" --format $format' /dev/null",
      ["store": path, "format": format])
    #expect(run.status == 2)
    #expect(run.out.contains("not for a terminal"))
  }
}
