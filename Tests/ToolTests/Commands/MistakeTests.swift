import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// Common typing mistakes.
@Suite struct MistakeTests {
  @Test func `Relative, deep and slash-terminated paths make the named store`()
    throws
  {
    for path in ["store", "./store", "a/b/store", "store/", "a//store//"] {
      let folder = try TestFolder()
      try folder.write("export.xml", soundExportText)
      let run = try ToolProcess.shell(
        "cd '\(folder.path)' && \"$tool\" import export.xml --store '\(path)'")
      #expect(run.status == 0, "\(path): \(run.error)")
      #expect(try ToolProcess.run(["stats", folder.path + "/" + path]).status == 0)
    }
  }

  @Test(
    arguments: [
      ["stats", ""], ["verify", ""], ["backup", "--store", "STORE", ""],
      ["backup", "--store", "", "NEW"], ["restore", "STORE", "--store", ""],
      ["import", "", "--store", "NEW"], ["import", "EXPORT", "--store", ""],
      ["query", "--store", "", "--type", "heartRate"], ["changes", "--store="],
    ])
  func `An empty path is an error that says so`(arguments: [String]) async throws {
    let folder = try TestFolder()
    let run = try ToolProcess.run(try await StatusTests.fill(arguments, folder))
    #expect(run.status == 2)
    #expect(run.error.contains(" is empty; see `healthstore \(arguments[0]) --help`."))
    #expect(!FileManager.default.fileExists(atPath: folder.store("new")))
  }

  @Test func `A directory with other files does not become a store`() throws {
    let folder = try TestFolder()
    let export = try folder.write("export.xml", exportText)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let run = try ToolProcess.run(["import", export, "--store", folder.path])
    #expect(run.status == 2)
    #expect(run.error.contains("is no store and has something in it, such as export.xml"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
  }

  @Test func `A file at the store's path is refused and not changed`() throws {
    let folder = try TestFolder()
    let export = try folder.write("export.xml", exportText)
    for arguments in [
      ["stats", export], ["verify", export], ["compact", export],
      ["repair", "--store", export, "x"],
      ["query", "--store", export, "--type", "heartRate"], ["import", export, "--store", export],
      ["import", export, "--store", export + "/below"],
    ] {
      let run = try ToolProcess.run(arguments)
      #expect(run.status == 2, "\(arguments)")
      #expect(run.error.contains("is no directory"), "\(arguments): \(run.error)")
    }
    #expect(try String(contentsOfFile: export, encoding: .utf8) == exportText)
  }

  @Test func `A store is not backed up, restored or repaired into itself`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let before = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    for command in ["backup", "restore", "repair"] {
      for destination in [path, path + "/inside", path + "/./deep/inside"] {
        let run = try ToolProcess.copy(command, path, destination)
        #expect(run.status == 2, "\(command) \(destination)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == before)
      }
    }
    #expect(try ToolProcess.run(["verify", path]).status == 0)
  }

  @Test func `A name with line breaks and colours is printed as plain text on one line`()
    throws
  {
    let path = "/nowhere/a\nb\u{1B}[31m\u{9B}"
    let run = try ToolProcess.run(["stats", path])
    #expect(run.status == 2)
    #expect(run.error.split(separator: "\n").count == 1)
    #expect(run.error.contains(#"/nowhere/a\u{a}b\u{1b}[31m\u{9b}"#))
    #expect("naïve ∞ 😀".printable == "naïve ∞ 😀")
  }

  @Test func `The help of a command can be requested in both orders`() throws {
    #expect(
      try ToolProcess.run(["help", "query"]).out == ToolProcess.run(["query", "--help"]).out)
    #expect(try ToolProcess.run(["help", "nothing"]).status == 2)
  }
}
