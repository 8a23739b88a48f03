import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// SQL statements, executed by sqlite3.
@Suite struct SQLTests {
  private func ask(_ folder: TestFolder, _ question: String) throws -> [String] {
    let run = try ToolProcess.shell(
      "sqlite3 -batch \"$db\" \"$question\"",
      [
        "db": folder.store("db"), "question": question,
      ])
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    return run.lines
  }

  /// Exports into the database and returns the anchor.
  private func load(_ folder: TestFolder, _ more: String = "") throws -> String {
    let run = try ToolProcess.shell(
      "set -o pipefail; \"$tool\" export --store \"$store\" --all-subjects --format sql \(more) "
        + "| sqlite3 -bail -batch \"$db\"",
      ["db": folder.store("db"), "store": folder.store()])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.out.isEmpty)
    return try #require(run.anchor)
  }

  @Test func `SQLite has every sample, member and point, however often it is loaded`()
    async throws
  {
    let folder = try TestFolder()
    _ = try await folder.makeStoreOfEverything()
    _ = try load(folder)
    let counts = """
      SELECT count(*), count(DISTINCT uuid), count(DISTINCT type) FROM sample;
      SELECT count(*) FROM member; SELECT type, count(*) FROM point
       JOIN sample ON uuid = sample GROUP BY type ORDER BY type
      """
    let first = try ask(folder, counts)
    #expect(first.first == "32|32|23")
    #expect(first.contains("stepCount|3"))
    #expect(first.contains { $0.hasPrefix("workoutRoute|") })
    #expect(first.contains { $0.hasPrefix("electrocardiogram|") })
    _ = try load(folder)
    #expect(try ask(folder, counts) == first)
    let mass = try ask(
      folder,
      """
      SELECT subject = 'o''dd "a", b=c\\' || char(10) || ';ü', value, unit, start_date, end_date,
       json_extract(device, '$.name'), json_extract(metadata, '$.half'),
       json_extract(metadata, '$.text') = 'a"\\' || char(1) || char(10) || ',''ü'
      FROM sample WHERE type = 'bodyMass' ORDER BY value
      """)
    #expect(
      mass == [
        "1|160.3|lb|2024-02-19T01:46:40.062500Z|2024-02-19T01:46:40.162500Z|Scale, \"large\"\\|"
          + "0.3|1",
        "1|162.0|lb|2024-02-19T01:46:40.062500Z|2024-02-19T01:46:40.162500Z|Scale, \"large\"\\||",
      ])
    let pressure = try ask(
      folder,
      """
      SELECT m.type FROM sample c JOIN member ON sample = c.uuid JOIN sample m ON member = m.uuid
      WHERE c.type = 'bloodPressure' ORDER BY m.type
      """)
    #expect(pressure == ["bloodPressureDiastolic", "bloodPressureSystolic"])
  }

  @Test func `Applying changes gives the same database as a full export`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    let anchor = try load(folder)
    _ = try await folder.makeStore(subject: "ada", heartRates: [60, 61])
    for type in ["workoutRoute", "bloodPressure", "heartRate"] {
      let run = try ToolProcess.run(["delete", path, "--type", type, "--yes"])
      #expect(run.status == 0)
    }
    #expect(
      try ToolProcess.run(["erase", path, "--subject", TestFolder.odd, "--yes"]).status == 0)
    _ = try load(folder, "--after \(anchor)")
    let all = """
      SELECT uuid, subject, type, start_date, end_date, value, value_name, unit, source, device,
       metadata FROM sample ORDER BY uuid; SELECT * FROM member ORDER BY 1, 2;
      SELECT * FROM point ORDER BY 1, 2
      """
    let changed = try ask(folder, all)
    #expect(changed.contains { $0.contains("|ada|heartRate|") })
    #expect(!changed.contains { $0.contains("bodyMass") })
    try FileManager.default.removeItem(atPath: folder.store("db"))
    _ = try load(folder)
    #expect(try ask(folder, all) == changed)
  }

  @Test func `An export that ends early leaves a database unchanged`() async throws {
    let folder = try TestFolder()
    _ = try await folder.makeStore(heartRates: [Double](repeating: 60, count: 3000))
    let run = try ToolProcess.shell(
      "\"$tool\" export --store \"$store\" --format sql | head -c 100000 | sqlite3 -batch \"$db\"",
      ["db": folder.store("db"), "store": folder.store()])
    #expect(run.status != 0 || !run.error.isEmpty || run.out.isEmpty)
    #expect(try ask(folder, "SELECT count(*) FROM sqlite_master") == ["0"])
  }

  @Test func `A database of an earlier version accepts exports after the manual's statements`()
    async throws
  {
    let folder = try TestFolder()
    _ = try await folder.makeStoreOfEverything()
    _ = try ask(
      folder,
      """
      CREATE TABLE sample (uuid TEXT PRIMARY KEY, subject TEXT NOT NULL, type TEXT NOT NULL,
       start_date TEXT NOT NULL, end_date TEXT NOT NULL, value DOUBLE PRECISION, value_name TEXT,
       unit TEXT, source TEXT, bundle_identifier TEXT, version TEXT, product_type TEXT,
       operating_system TEXT, device TEXT, metadata TEXT);
      CREATE TABLE point (sample TEXT NOT NULL, number INTEGER NOT NULL,
       start_date TEXT NOT NULL, end_date TEXT NOT NULL, value DOUBLE PRECISION,
       latitude DOUBLE PRECISION, longitude DOUBLE PRECISION, altitude DOUBLE PRECISION,
       horizontal_accuracy DOUBLE PRECISION, vertical_accuracy DOUBLE PRECISION,
       course DOUBLE PRECISION, speed DOUBLE PRECISION, PRIMARY KEY (sample, number));
      """)
    let manual = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/tool.md"),
      encoding: .utf8)
    let part = try #require(manual.components(separatedBy: "```sql\n").dropFirst().first)
    _ = try ask(folder, try #require(part.components(separatedBy: "```").first))
    _ = try load(folder)
    let details = "SELECT count(*) > 0 FROM sample WHERE details IS NOT NULL"
    #expect(try ask(folder, details) == ["1"])
    #expect(try ask(folder, "SELECT count(*) > 0 FROM point WHERE unit = 'V'") == ["1"])
  }

  @Test func `Dates sort in order as text`() {
    #expect(SQLText.date(0) == "'2001-01-01T00:00:00.000000Z'")
    #expect(SQLText.date(-0.25) == "'2000-12-31T23:59:59.750000Z'")
    #expect(SQLText.date(0.999_999_7) == "'2001-01-01T00:00:01.000000Z'")
    #expect(SQLText.date(Date.distantPast.timeIntervalSinceReferenceDate) == "'-infinity'")
    #expect(SQLText.date(1e12) == "'infinity'")
    let dates = [-1e12, -1e9, -0.5, 0, 0.5, 0.75, 1, 1e9, 1e12].map(SQLText.date)
    #expect(dates == dates.sorted())
    #expect(SQLText.text("a'b\0") == "'a''b\u{FFFD}'")
  }
}
