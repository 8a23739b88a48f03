import Foundation
import HealthStore
import SampleLog
import Testing

@testable import HealthStoreTool

/// The selection of exported samples, and the messages of an export.
@Suite struct SampleExportTests {
  static let formats = ["csv", "jsonl", "sql", "influx", "fhir"]

  private func count(_ path: String, _ arguments: [String]) throws -> Int {
    let run = try ToolProcess.run(["export", "--store", path, "--format", "jsonl"] + arguments)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.anchor != nil)
    return run.lines.count
  }

  @Test func `Types, subjects and dates select samples`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(subject: "ada", heartRates: [60, 61, 62])
    _ = try await folder.makeStore(subject: "bob", heartRates: [70])
    #expect(try count(path, []) == 0)
    #expect(try count(path, ["--all-subjects"]) == 4)
    #expect(try count(path, ["--subject", "ada"]) == 3)
    #expect(try count(path, ["--subject", "ada", "--subject", "bob"]) == 4)
    #expect(try count(path, ["--all-subjects", "--type", "stepCount"]) == 0)
    let from = ["--subject", "ada", "--from", "2024-02-01T08:01:00Z"]
    #expect(try count(path, from) == 2)
    #expect(try count(path, from + ["--to", "2024-02-01T08:02:00Z"]) == 1)
  }

  @Test func `The same options select changes`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(subject: "ada", heartRates: [60])
    let export = ["export", "--store", path, "--format", "jsonl"]
    let anchor = try #require(try ToolProcess.run(export).anchor)
    _ = try await folder.makeStore(subject: "bob", heartRates: [70])
    _ = try ToolProcess.run(["delete", path, "--all-subjects", "--all-types", "--yes"])
    func kinds(_ more: String...) throws -> [String] {
      let run = try ToolProcess.run(export + ["--after", anchor] + more)
      return try run.objects().compactMap { $0["kind"] as? String }
    }
    // Samples added and deleted since the anchor appear only as deletions.
    #expect(try kinds("--all-subjects") == ["deleted", "deleted"])
    #expect(try kinds("--subject", "ada") == ["deleted"])
    #expect(try kinds() == [])
    #expect(try kinds("--all-subjects", "--type", "stepCount") == [])
    #expect(try kinds("--all-subjects", "--from", "2024-02-02") == [])
    #expect(try kinds("--all-subjects", "--from", "2024-02-01") == ["deleted", "deleted"])
  }

  @Test(arguments: formats)
  func `Each export ends with an anchor, and the next begins there`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let export = ["export", "--store", path, "--format", format]
    let anchor = try #require(try ToolProcess.run(export).anchor)
    let changes = try ToolProcess.run(["changes", "--store", path, "--after", anchor]).objects()
    #expect(changes.count == 1)
    let next = try ToolProcess.run(export + ["--after", anchor])
    if format == "influx" {
      #expect(next.status == 2)
      #expect(next.error.contains("Line protocol cannot say that samples are gone"))
    } else {
      #expect(next.status == 0)
      #expect(next.anchor != nil)
      #expect(!next.out.contains("60"))
    }
  }

  @Test func `An invalid anchor and one beyond the end are errors`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let copy = folder.store("copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    _ = try await folder.makeStore(heartRates: [61, 62])
    let export = ["export", "--format", "jsonl", "--store"]
    let anchor = try #require(try ToolProcess.run(export + [path]).anchor)
    let late = try ToolProcess.run(export + [copy, "--after", anchor])
    #expect(late.status == 1)
    #expect(late.error.contains("Leave --after out to start from the beginning."))
    #expect(late.anchor == nil)
    #expect(late.out.isEmpty)
    let none = try ToolProcess.run(export + [path, "--after", "x"])
    #expect(none.status == 2)
  }

  @Test func `Options of one format are refused by the others`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let out = folder.store("out")
    for wrong in [
      ["--format", "csv", "--plain"], ["--format", "sql", "--date", "2024-03-01"],
      [out, "--format", "fhir"], ["--format", "apple"],
      [out, "--format", "apple", "--type", "gad7"],
      [out, "--format", "apple", "--after", "x"], [out, "--format", "apple", "--all-subjects"],
      [out, "--format", "apple", "--subject", "a", "--subject", "b"],
      ["--format", "csv", "--subject", "a", "--all-subjects"],
      ["--format", "csv", "--type", "heartRat"], ["--format", "csv", "--from", "soon"],
      ["--format", "csv", "--type", "HKQuantityTypeIdentifierHeartRat"],
    ] {
      let run = try ToolProcess.run(["export", "--store", path] + wrong)
      #expect(run.status == 2, "\(wrong)")
      #expect(run.out.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: out))
    }
  }

  @Test func `A sample that is saved during an export is in the next one`() async throws {
    let folder = try TestFolder()
    let database = try Database(path: try await folder.makeStore(heartRates: [60]))
    let (snapshot, words) = (database.snapshot(), RowWords(database))
    try await HKHealthStore(database: database, subject: "").save(heartRate(61, 1))
    let writer = RowTextWriter(
      isCSV: true, hasKinds: false, words, StoredObjects(words.reader, snapshot),
      ExportSink(Output(isTerminal: false) { _ in }))
    let end = try SampleExport(types: [], filter: RowFilter()).run(database, snapshot, writer)
    #expect(end == database.anchor(at: snapshot.end))
    #expect(snapshot.end < database.end)
    try database.close()
  }

  @Test(arguments: formats)
  func `An export continues while another program writes`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    try await store.save(heartRate(61, 1))
    let run = try ToolProcess.run(["export", "--store", path, "--format", format])
    #expect(run.status == 0)
    #expect(run.out.contains("61"))
    try await store.close()
  }
}
