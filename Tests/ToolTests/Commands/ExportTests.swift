import Foundation
import Testing

@Suite struct ExportTests {
  private func arguments(_ folder: TestFolder, _ more: String...) -> [String] {
    ["export", folder.store("out"), "--store", folder.store(), "--format", "apple"] + more
  }

  @Test func `Importing an export gives the same store`() async throws {
    let folder = try TestFolder()
    let export = try folder.write("export.xml", soundExportText)
    #expect(try ToolProcess.run(["import", export, "--store", folder.store()]).status == 0)
    let run = try ToolProcess.run(arguments(folder, "--date", "2024-03-01"))
    #expect(run.status == 0)
    #expect(run.error.isEmpty)
    #expect(run.out.hasPrefix("4 objects written: 1 file, "))
    let copy = folder.store("copy")
    #expect(try ToolProcess.run(["import", folder.store("out"), "--store", copy]).status == 0)
    let again = [
      "export", folder.store("again"), "--store", copy, "--format", "apple", "--date",
      "2024-03-01",
    ]
    #expect(try ToolProcess.run(again).status == 0)
    #expect(
      FileManager.default.contentsEqual(
        atPath: folder.store("out") + "/export.xml",
        andPath: folder.store("again") + "/export.xml"))
  }

  @Test func `A plain export reports its losses`() async throws {
    let folder = try TestFolder()
    _ = try await folder.makeStore(heartRates: [60, 61])
    let run = try ToolProcess.run(arguments(folder, "--plain"))
    #expect(run.status == 0)
    #expect(run.out.contains("Lost of what was written"))
    #expect(run.out.contains("2  identifiers of objects"))
  }

  @Test func `A format is required and must be known`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let other = try ToolProcess.run(
      ["export", folder.store("out"), "--store", path, "--format", "xlsx"])
    #expect(other.status == 2)
    let formats = "csv, jsonl, parquet, arrow, sql, influx, fhir, apple"
    #expect(other.error.contains("needs one of \(formats), not xlsx"))
    let none = try ToolProcess.run(["export", folder.store("out"), "--store", path])
    #expect(none.status == 2)
    #expect(none.error.contains("The option --format FORMAT is missing"))
    #expect(!FileManager.default.fileExists(atPath: folder.store("out")))
  }

  @Test func `A target that is not empty or inside the store is refused`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    #expect(try ToolProcess.run(arguments(folder)).status == 0)
    let again = try ToolProcess.run(arguments(folder))
    #expect(again.status == 2)
    #expect(again.error.contains("is not empty"))
    let inside = try ToolProcess.run(
      ["export", path + "/out", "--store", path, "--format", "apple"])
    #expect(inside.status == 2)
    let missing = try ToolProcess.run(
      ["export", folder.store("new"), "--store", folder.store("no"), "--format", "apple"])
    #expect(missing.status == 2)
    #expect(!FileManager.default.fileExists(atPath: folder.store("new")))
  }

  @Test func `An export that cannot be written ends with status 3 and leaves no files`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(
      heartRates: [Double](repeating: 60, count: 5000))
    try folder.write("file", "")
    let under = try ToolProcess.run(
      ["export", folder.path + "/file/out", "--store", path, "--format", "apple"])
    #expect(under.status == 3)
    #expect(under.error.contains("cannot be written"))
    // The limit also applies to the shadow memory file of the thread sanitizer.
    guard dlsym(nil, "__tsan_init") == nil else { return }
    let words = arguments(folder).map { "'\($0)'" }.joined(separator: " ")
    let run = try ToolProcess.shell("ulimit -f 64; \"$tool\" \(words)")
    #expect(run.status == 3)
    #expect(run.error.contains("File too large"))
    let read = try ToolProcess.run(["import", folder.store("out"), "--store", folder.store("b")])
    #expect(read.status == 2)
  }
}
