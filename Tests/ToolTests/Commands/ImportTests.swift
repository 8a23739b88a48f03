import Foundation
import Testing

@testable import HealthStoreTool

@Suite struct ImportTests {
  private let heartRates = ["--type", "heartRate", "--format", "json"]

  @Test func `Importing the same export twice adds nothing the second time`() throws {
    let folder = try TestFolder()
    let export = try folder.write("export.xml", exportText)
    let first = try ToolProcess.run(["import", export, "--store", folder.store()])
    #expect(first.status == 6)
    #expect(first.error.contains("2 parts of the export are left out"))
    #expect(first.out.contains("4 samples added, 0 there already"))
    let before = try ToolProcess.run(["query", "--store", folder.store()] + heartRates)
    let second = try ToolProcess.run(["import", export, "--store", folder.store()])
    #expect(second.status == 6)
    #expect(second.out.contains("0 samples added, 4 there already"))
    let after = try ToolProcess.run(["query", "--store", folder.store()] + heartRates)
    #expect(before.lines.count == 3)
    #expect(after.out == before.out)
  }

  @Test func `Skipped records are counted and reported with their position`() throws {
    let folder = try TestFolder()
    let export = try folder.write("export.xml", exportText)
    let run = try ToolProcess.run(["import", export, "--store", folder.store()])
    let record = try #require(exportText.utf8.firstRange(of: "<ActivitySummary".utf8)).lowerBound
    let offset = exportText.utf8.distance(from: exportText.utf8.startIndex, to: record)
    #expect(
      run.out.contains(
        "1  a required attribute is missing in ActivitySummary "
          + "(first at byte \(Figures.count(offset)))"))
    #expect(run.out.contains("has no value  (first at byte "))
  }

  @Test func `Unknown records are imported if possible, and counted`() throws {
    let folder = try TestFolder()
    let text = exportText.replacing("value=\"\"", with: "value=\"HKCategoryValueOfTomorrow\"")
      .replacing("</HealthData>", with: "<Tomorrow/><Tomorrow/></HealthData>")
      .replacing("<ActivitySummary", with: "<ActivitySummary dateComponents=\"2024-02-01\"")
    let export = try folder.write("export.xml", text)
    let run = try ToolProcess.run(["import", export, "--store", folder.store()])
    #expect(run.status == 0)
    #expect(run.out.contains("5 samples added"))
    #expect(run.out.contains("does not know the type or value:\n  1  HKCategoryValueOfTomorrow"))
    #expect(run.out.contains("this version does not know it:\n  2  elements Tomorrow"))
    #expect(run.out.contains("1 day of activity summaries set"))
  }

  @Test func `A pipe in a folder is reported and does not block the import`() throws {
    let folder = try TestFolder()
    try folder.write("export.xml", exportText)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/workout-routes", withIntermediateDirectories: false)
    try #require(mkfifo(folder.path + "/workout-routes/one.gpx", 0o600) == 0)
    let run = try ToolProcess.run(["import", folder.path, "--store", folder.store()])
    #expect(run.status == 6)
    #expect(run.out.contains("4 samples added"))
    #expect(run.out.contains("workout-routes/one.gpx"))
  }

  @Test func `An export is read from a folder and from standard input`() throws {
    let folder = try TestFolder()
    try folder.write("export.xml", exportText)
    let unpacked = try ToolProcess.run(["import", folder.path, "--store", folder.store("a")])
    #expect(unpacked.out.contains("4 samples added"))
    let piped = try ToolProcess.run(
      ["import", "-", "--store", folder.store("b")], input: exportText)
    #expect(piped.out.contains("4 samples added"))
  }

  @Test func `Two subjects may import the same export`() throws {
    let folder = try TestFolder()
    let export = try folder.write("export.xml", exportText)
    for subject in ["ada", "bob"] {
      let run = try ToolProcess.run(
        ["import", export, "--store", folder.store(), "--subject", subject])
      #expect(run.out.contains("4 samples added, 0 there already"))
    }
    let query = ["query", "--store", folder.store(), "--subject", "bob"] + heartRates
    #expect(try ToolProcess.run(query).lines.count == 3)
  }

  @Test func `A truncated export is imported up to the cut, and reported as truncated`() throws {
    let folder = try TestFolder()
    let end = try #require(exportText.range(of: " <Record type=\"HKCategory")?.lowerBound)
    let export = try folder.write("export.xml", String(exportText[..<end]))
    let run = try ToolProcess.run(["import", export, "--store", folder.store()])
    #expect(run.status == 4)
    #expect(run.out.contains("3 samples added"))
    #expect(run.error.contains("The export is cut at byte "))
    let whole = try folder.write("export.xml", exportText)
    let again = try ToolProcess.run(["import", whole, "--store", folder.store()])
    #expect(again.out.contains("1 sample added, 3 there already"))
  }

  @Test func `A missing export makes no store`() throws {
    let folder = try TestFolder()
    let run = try ToolProcess.run(["import", folder.path + "/no.xml", "--store", folder.store()])
    #expect(run.status == 2)
    #expect(run.error.contains("no.xml cannot be opened"))
    #expect(!FileManager.default.fileExists(atPath: folder.store()))
  }

  @Test func `A file that is not an export is refused`() throws {
    let folder = try TestFolder()
    let file = try folder.write("page.xml", "<html></html>")
    let run = try ToolProcess.run(["import", file, "--store", folder.store()])
    #expect(run.status == 2)
    #expect(run.error.contains("not an Apple Health export"))
  }

  @Test func `A refused import removes the directories that it made`() throws {
    let folder = try TestFolder()
    let store = folder.path + "/a/b/store"
    let endless = "<HealthData a=\"" + String(repeating: "x", count: 2 << 20)
    for (text, status) in [("<html></html>", 2), ("", 2), (endless, 1)] as [(String, Int32)] {
      let file = try folder.write("export.xml", text)
      let run = try ToolProcess.run(["import", file, "--store", store])
      #expect(run.status == status)
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/a"), "\(text.prefix(20))")
    }
    let export = try folder.write("export.xml", exportText)
    let subject = String(repeating: "s", count: 70_000)
    let run = try ToolProcess.run(["import", export, "--store", store, "--subject", subject])
    #expect(run.status == 2)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/a"))
  }

  @Test func `A refused import keeps an existing directory and its content`() throws {
    let folder = try TestFolder()
    try FileManager.default.createDirectory(
      atPath: folder.store(), withIntermediateDirectories: false)
    try folder.write("store/notes.txt", "mine")
    let file = try folder.write("page.xml", "<html></html>")
    #expect(try ToolProcess.run(["import", file, "--store", folder.store()]).status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.store()) == ["notes.txt"])
  }

  @Test func `Content after the end of an export is reported and not read`() throws {
    let folder = try TestFolder()
    let export = try folder.write("export.xml", exportText + "\n" + exportText)
    let run = try ToolProcess.run(["import", export, "--store", folder.store()])
    #expect(run.status == 6)
    #expect(run.out.contains("4 samples added"))
    #expect(
      run.error.contains(
        "bytes from byte \(Figures.count(exportText.utf8.count + 1)) on follow the end"))
  }

  @Test func `A broken record is skipped and reported on standard error, and the rest is imported`()
    throws
  {
    let folder = try TestFolder()
    let bad = try #require(exportText.range(of: "value=\"62\""))
    let place = try #require(exportText.range(of: "<Record"))
    let offset = exportText.utf8.distance(from: exportText.startIndex, to: place.lowerBound)
    for value in ["sixty", "inf", "1e999", String(repeating: "6", count: 2 << 20)] {
      let text = exportText.replacingCharacters(in: bad, with: "value=\"\(value)\"")
      let export = try folder.write("export.xml", text)
      let store = folder.store(UUID().uuidString)
      let run = try ToolProcess.run(["import", export, "--store", store])
      #expect(run.status == 6)
      #expect(run.out.contains("3 samples added"))
      #expect(
        run.error.contains(
          "3 parts of the export are left out, broken, not known or above a limit, the first at "
            + "byte \(Figures.count(offset))"))
      #expect(run.out.contains("(first at byte \(Figures.count(offset)))"))
    }
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["EXPORT"] != nil))
  func `A real export is imported whole, once`() throws {
    let export = try #require(ProcessInfo.processInfo.environment["EXPORT"])
    let folder = try TestFolder()
    let first = try ToolProcess.run(["import", export, "--store", folder.store()])
    #expect(first.out.contains("8,440 samples added, 0 there already"))
    let second = try ToolProcess.run(["import", export, "--store", folder.store()])
    #expect(second.out.contains("0 samples added, 8,440 there already"))
    let stats = try #require(ToolProcess.run(["stats", folder.store(), "--json"]).objects().first)
    #expect((stats["types"] as? [Any])?.count == 30)
    let rates = try ToolProcess.run(["query", "--store", folder.store()] + heartRates).objects()
      .compactMap { $0["value"] as? Double }
    #expect(rates.count == 400)
    #expect(rates.min() == 43)
    #expect(rates.max() == 116)
    #expect((rates.reduce(0, +) / 400 * 1000).rounded() == 59634)
    let demo = try ToolProcess.run(["demo", "--export", export])
    #expect(demo.status == 0)
    #expect(demo.out.contains("59.634"))
    #expect(demo.out.contains("22374"))
  }
}
