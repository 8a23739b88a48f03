import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// Line protocol, read by a parser that handles its escapes.
@Suite struct LineProtocolTests {
  /// Parses lines, and prints each as an array of JSON: measurement, tags, fields, time.
  private let parser = #"""
    import json, sys
    def cut(s, stops):
        out, i = '', 0
        while i < len(s) and s[i] not in stops:
            if s[i] == '\\' and i + 1 < len(s) and s[i + 1] in ', =': i += 1
            out += s[i]; i += 1
        return out, s[i:]
    for line in open(sys.argv[1], newline='\n'):
        rest, tags, fields = line.rstrip('\n'), {}, {}
        name, rest = cut(rest, ', ')
        while rest[0] == ',':
            key, rest = cut(rest[1:], '='); value, rest = cut(rest[1:], ', ')
            assert key and value and key not in tags; tags[key] = value
        while rest[0] in ' ,':
            if rest[0] == ' ' and fields: break
            key, rest = cut(rest[1:], '='); rest = rest[1:]
            if rest[0] == '"':
                value, i = '', 1
                while rest[i] != '"':
                    if rest[i] == '\\': i += 1
                    value += rest[i]; i += 1
                rest = rest[i + 1:]
            else:
                value, rest = cut(rest, ', '); value = float(value.rstrip('i'))
            fields[key] = value
        assert list(tags) == sorted(tags)
        print(json.dumps([name, tags, fields, int(rest)]))
    """#

  private func points(_ folder: TestFolder) throws -> [[Any]] {
    let script = try folder.write("parse.py", parser)
    let run = try ToolProcess.shell(
      "\"$tool\" export --store \"$store\" --all-subjects --format influx > \"$store.out\" && "
        + "python3 '\(script)' \"$store.out\"",
      ["store": folder.store()])
    #expect(run.status == 0, "\(run.error)")
    return try run.lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
    }
  }

  @Test func `An unknown category value has its name and no number`()
    throws
  {
    let folder = try TestFolder()
    _ = try folder.makeStore(
      elements: """
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \
        startDate="2024-02-01 22:00:00 +0000" endDate="2024-02-01 23:00:00 +0000" \
        value="HKCategoryValueSleepAnalysisDreaming"/>
         <Record type="HKCategoryTypeIdentifierMoon" sourceName="Watch" \
        startDate="2024-02-01 22:00:00 +0000" endDate="2024-02-01 23:00:00 +0000" value="full"/>
        """)
    let fields = try points(folder).compactMap { $0[2] as? [String: Any] }
    #expect(
      fields.compactMap { $0["valueName"] as? String }.sorted()
        == ["HKCategoryValueSleepAnalysisDreaming", "full"])
    #expect(fields.allSatisfy { $0["value"] == nil && $0["duration"] != nil })
  }

  @Test func `Every sample is a point with its value, and odd names are preserved`() async throws {
    let folder = try TestFolder()
    _ = try await folder.makeStoreOfEverything()
    let all = try points(folder)
    // Parts and statistics of workouts are not samples.
    let points = all.filter { ($0[2] as? [String: Any])?["part"] == nil }
    #expect(points.count == 32 && all.count > 32)
    let masses = points.filter { $0[0] as? String == "bodyMass" }
    #expect(masses.count == 2)
    let tags = try #require(masses.first?[1] as? [String: String])
    #expect(tags["subject"] == TestFolder.odd.printable)
    #expect(tags["unit"] == "lb")
    // A trailing backslash of a tag would escape the comma after it.
    #expect(tags["device"] == "Scale, \"large\"")
    let fields = masses.compactMap { $0[2] as? [String: Any] }
    #expect(fields.compactMap { $0["value"] as? Double }.sorted() == [160.30000000000001, 162])
    #expect(fields.allSatisfy { $0["duration"] as? Double != nil && $0["uuid"] as? String != nil })
    let workouts = points.filter { $0[0] as? String == "workout" }
    #expect((workouts.first?[2] as? [String: Any])?["value"] == nil)
  }

  @Test func `Points of one key and time are moved to the next nanoseconds`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    try await store.save([heartRate(70, 0), heartRate(71, 0), heartRate(72, 1)])
    try await store.close()
    let times = try points(folder).compactMap { $0[3] as? Int }
    let first = 1_706_774_400_000_000_000
    let second = first + 60_000_000_000
    #expect(times == [first, first + 1, first + 2, second, second + 1])
  }

  @Test func `Times are whole nanoseconds, and those beyond 64 bits are counted`() async throws {
    #expect(LineProtocolWriter.nanoseconds(0.25) == 978_307_200_250_000_000)
    #expect(LineProtocolWriter.nanoseconds(-978_307_200.5) == -500_000_000)
    #expect(LineProtocolWriter.nanoseconds(1e10) == nil)
    let folder = try TestFolder()
    let csv = "uuid,type,start,value,unit\n\(UUID()),bodyMass,3000-01-01,70,kg\n"
    let path = folder.store()
    #expect(try ToolProcess.run(["ingest", "-", "--store", path], input: csv).status == 0)
    let run = try ToolProcess.run(["export", "--store", path, "--format", "influx"])
    #expect(run.out.isEmpty)
    #expect(run.error.contains("1 sample left out: line protocol has no times before 1678"))
  }
}
