import Foundation
import HealthStore
import Testing

/// Samples and changes in every format, parsed by Python.
@Suite struct FormatTests {
  private let start = Date(timeIntervalSince1970: 1_706_774_400)

  /// Makes a store in which every field is set in some sample.
  private func makeStore(_ folder: TestFolder) async throws -> String {
    let path = try await folder.makeStore(subject: "a \"b\", c", heartRates: [60, 61.25])
    let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
    let store = database.store(subject: "ada")
    let device = HKDevice(
      name: "Cuff, \"large\"", manufacturer: "M", model: "m", hardwareVersion: "1",
      firmwareVersion: "2", softwareVersion: "3", localIdentifier: "l", udiDeviceIdentifier: "u")
    let pressures = [HKQuantityTypeIdentifier.bloodPressureSystolic, .bloodPressureDiastolic].map {
      HKQuantitySample(
        type: HKQuantityType($0), quantity: HKQuantity(unit: HKUnit(from: "mmHg"), doubleValue: 80),
        start: start, end: start + 0.125, device: device, metadata: nil)
    }
    try await store.save(
      HKCorrelation(
        type: HKCorrelationType(.bloodPressure), start: start, end: start + 0.125,
        objects: Set(pressures)))
    try await store.save(
      HKCategorySample(
        type: HKCategoryType(.sleepAnalysis),
        value: HKCategoryValueSleepAnalysis.asleepDeep.rawValue, start: start, end: start + 600))
    try database.close()
    return path
  }

  /// Compares the records of a CSV and a JSON file field by field.
  private let comparison = """
    import csv, json, sys
    rows = list(csv.DictReader(open(sys.argv[1], newline='')))
    text = open(sys.argv[2]).read()
    records = json.loads(text) if text[0] == '[' else [json.loads(l) for l in text.splitlines()]
    assert len(rows) == len(records), (len(rows), len(records))
    for row, record in zip(rows, records):
        for key, value in record.items():
            if isinstance(value, (dict, list)): assert json.loads(row[key]) == value, (key, row)
            elif isinstance(value, str): assert row[key] == value, (key, row)
            else: assert float(row[key]) == value, (key, row)
        assert {k for k in row if row[k]} == set(record), (row, record)
    print(len(rows), ' '.join(sorted({k for r in records for k in r})))
    """

  private func compare(_ command: String, _ format: String, _ folder: TestFolder) throws -> ToolRun
  {
    let script = try folder.write("compare.py", comparison)
    return try ToolProcess.shell(
      "cd '\(folder.path)' && \"$tool\" \(command) --format csv > c && "
        + "\"$tool\" \(command) --format \(format) > j && python3 '\(script)' c j")
  }

  @Test(arguments: ["json", "jsonl"])
  func `CSV has every field of JSON`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let query = "query --store '\(path)' --all-types --all-subjects"
    let run = try compare(query, format, folder)
    #expect(run.error.isEmpty)
    #expect(
      run.out == "6 bundleIdentifier device end metadata objects operatingSystem source start "
        + "subject type unit uuid value valueName\n")
  }

  @Test(arguments: ["json", "jsonl"])
  func `Changes have the same fields in CSV and JSON`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let changes = "changes --store '\(path)'"
    let objects = try ToolProcess.run(["changes", "--store", path]).objects()
    let anchor = try #require(objects.last?["anchor"] as? String)
    let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
    let store = database.store(subject: "ada")
    _ = try await store.deleteObjects(
      of: HKCategoryType(.sleepAnalysis),
      predicate: HKQuery.predicateForSamples(
        withStart: start, end: nil))
    try database.close()
    _ = try ToolProcess.run(["erase", path, "--subject", "a \"b\", c", "--yes"])
    let all = try compare(changes, format, folder)
    #expect(all.error.isEmpty)
    #expect(all.out.hasPrefix("5 anchor bundleIdentifier device end kind "), "\(all.out)")
    let late = try compare("\(changes) --after \(anchor)", format, folder)
    #expect(late.error.isEmpty)
    #expect(late.out == "3 anchor kind subject type uuid\n")
    let kinds = try ToolProcess.run(
      ["changes", "--store", path, "--after", anchor, "--format", format]
    ).objects().map { $0["kind"] as? String ?? "anchor" }
    #expect(kinds.sorted() == ["anchor", "deleted", "erased"])
    let table = try ToolProcess.run(["changes", "--store", path, "--format", "table"])
    #expect(table.lines.count == 6)
    #expect(table.lines.last?.hasPrefix("anchor   ") == true)
  }

  @Test func `A JSON array is refused for a feed without an end`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let run = try ToolProcess.run(["changes", "--store", path, "--follow", "--format", "json"])
    #expect(run.status == 2)
    #expect(run.error.contains("use --format jsonl"))
  }

  @Test func `Several types and subjects are merged in order, and a table names them`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    _ = try await folder.makeStore(subject: "bob", heartRates: [99])
    let query = ["query", "--store", path, "--type", "heartRate", "--type", "sleepAnalysis"]
    let named = query + ["--subject", "ada", "--subject", "a \"b\", c"]
    let objects = try ToolProcess.run(named + ["--format", "jsonl"]).objects()
    #expect(objects.count == 3)
    #expect(Set(objects.compactMap { $0["subject"] as? String }) == ["ada", "a \"b\", c"])
    let starts = objects.compactMap { $0["start"] as? String }
    #expect(starts == starts.sorted())
    let table = try ToolProcess.run(named)
    #expect(table.lines.first?.hasPrefix("SUBJECT   TYPE           START (UTC)") == true)
    #expect(table.lines.contains { $0.hasPrefix("ada       sleepAnalysis  2024-02-01 08:00:00") })
    #expect(table.error.contains("no samples of heartRate for ada"), "\(table.error)")
    let everybody = try ToolProcess.run(query + ["--all-subjects", "--format", "jsonl"])
    #expect(everybody.lines.count == 4)
  }

  @Test func `A sample is found by its UUID, whatever its type and subject`() async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let query = ["query", "--store", path, "--format", "jsonl"]
    let all = try ToolProcess.run(query + ["--all-types", "--subject", "ada"]).objects()
    let uuid = try #require(all.first?["uuid"] as? String)
    let found = try ToolProcess.run(query + ["--uuid", uuid]).objects()
    #expect(found.map { $0["uuid"] as? String } == [uuid])
    for wrong in [["--uuid", "1"], [], ["--type", "heartRate", "--all-types"]] {
      let run = try ToolProcess.run(query + wrong)
      #expect(run.status == 2, "\(wrong)")
    }
  }

  /// Every command that prints a report.
  ///
  /// STORE is a store, BACKUP a backup, and NEW a new directory.
  static let reports: [[String]] = [
    ["stats", "STORE"], ["doctor", "STORE"], ["delete", "STORE", "--all-types", "--dry-run"],
    ["erase", "STORE", "--subject", "", "--dry-run"], ["backup", "--store", "STORE", "NEW"],
    ["expire", "STORE", "--all-types", "--older-than", "1000w", "--dry-run"],
    ["restore", "BACKUP", "--store", "NEW"], ["repair", "--store", "STORE", "NEW"],
  ]

  @Test(arguments: reports)
  func `A report is one object in either format of JSON`(arguments: [String]) async throws {
    var members: Set<Set<String>> = []
    for option in [["--json"], ["--format", "json"], ["--format", "jsonl"]] {
      let folder = try TestFolder()
      let words = try await StatusTests.fill(arguments, folder)
      let run = try ToolProcess.run(words + option)
      #expect(run.status == 0, "\(run.error)")
      #expect(run.lines.count == 1)
      members.formUnion(try run.objects().map { Set($0.keys) })
    }
    #expect(members.count == 1)
  }

  @Test func `A table and JSON exclude each other, and a report cannot be CSV`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    #expect(try ToolProcess.run(["stats", path, "--json", "--format", "table"]).status == 2)
    #expect(try ToolProcess.run(["stats", path, "--format", "csv"]).status == 2)
    let table = try ToolProcess.run(["stats", path, "--format", "table"])
    #expect(table.out == (try ToolProcess.run(["stats", path]).out))
  }

  /// Parses the text like Prometheus, and prints the names of the values.
  private let scraper = #"""
    import re, sys
    described, seen = set(), []
    for line in open(sys.argv[1]):
        if line.startswith('# TYPE '):
            name, kind = line.split()[2:]
            assert name not in described and kind in ('gauge', 'counter', 'histogram')
            described.add(name)
        elif not line.startswith('# HELP '):
            label = r'\{[a-z]+="(\\.|[^"\\\n])*"\}'
            m = re.fullmatch(r'([a-z_]+)(' + label + r')? ([-+0-9.e]+|NaN)\n', line)
            assert m and m[1] in described, line
            float(m[4]); seen.append(m[1])
    print(len(seen) == len(set(seen)), ' '.join(sorted(seen)))
    """#

  @Test func `Metrics have the format of Prometheus`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let script = try folder.write("scrape.py", scraper)
    let run = try ToolProcess.shell(
      "\"$tool\" stats '\(path)' --format prometheus > '\(path).txt' && "
        + "python3 '\(script)' '\(path).txt'")
    #expect(run.status == 0, "\(run.error)")
    #expect(run.out.hasPrefix("True healthstore_background_failed healthstore_bytes "))
    #expect(run.out.contains("healthstore_samples"))
  }
}
