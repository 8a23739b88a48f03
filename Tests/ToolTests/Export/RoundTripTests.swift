import Foundation
import Testing

/// `ingest` reads the output of `export`.
@Suite struct RoundTripTests {
  private func export(_ path: String, _ more: String...) throws -> ToolRun {
    let run = try ToolProcess.run(["export", "--store", path, "--all-subjects"] + more)
    #expect(run.status == 0, "\(run.error)")
    return run
  }

  @Test(arguments: ["csv", "jsonl"])
  func `Every object survives the round trip, once`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    let first = try export(path, "--format", format).out
    let file = try folder.write("samples", first)
    let copy = folder.store("copy")
    let ingest = ["ingest", file, "--store", copy]
    let run = try ToolProcess.run(ingest)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.out == "32 added, 0 there already, 0 deleted\n")
    #expect(try export(copy, "--format", format).out == first)
    #expect(try ToolProcess.run(ingest).out == "0 added, 32 there already, 0 deleted\n")
    // The other format and Apple's give the same content for both stores.
    let other = format == "csv" ? "jsonl" : "csv"
    #expect(
      try export(copy, "--format", other).out == export(path, "--format", other).out)
    for (store, out) in [(path, "a"), (copy, "b")] {
      let apple = try ToolProcess.run([
        "export", folder.store(out), "--store", store, "--subject", TestFolder.odd, "--format",
        "apple", "--date", "2024-03-01",
      ])
      #expect(apple.status == 0)
    }
    #expect(
      FileManager.default.contentsEqual(
        atPath: folder.store("a") + "/export.xml", andPath: folder.store("b") + "/export.xml"))
    #expect(try ToolProcess.run(["verify", copy]).status == 0)
  }

  @Test(arguments: ["csv", "jsonl"])
  func `Ingest reads the quantities and categories that query prints`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(subject: "ada", heartRates: [60, 61.5])
    let query = [
      "query", "--store", path, "--subject", "ada", "--type", "heartRate", "--format", format,
    ]
    let first = try ToolProcess.run(query).out
    let copy = folder.store("copy")
    let run = try ToolProcess.run(["ingest", "-", "--store", copy], input: first)
    #expect(run.status == 0, "\(run.error)")
    var again = query
    again[2] = copy
    #expect(try ToolProcess.run(again).out == first)
  }

  @Test func `A mirror applies changes, including deletions`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    let copy = folder.store("copy")
    let first = try export(path, "--format", "jsonl")
    #expect(try ToolProcess.run(["ingest", "-", "--store", copy], input: first.out).status == 0)
    let anchor = try #require(first.anchor)
    _ = try await folder.makeStore(subject: "ada", heartRates: [70])
    let delete = ["delete", path, "--all-subjects", "--type", "bodyMass", "--yes"]
    #expect(try ToolProcess.run(delete).status == 0)
    for format in ["csv", "jsonl"] {
      let changes = try export(path, "--format", format, "--after", anchor)
      #expect(changes.out.contains("deleted"))
      let run = try ToolProcess.run(["ingest", "-", "--store", copy], input: changes.out)
      #expect(run.status == 0, "\(run.error)")
      #expect(
        run.out
          == (format == "csv"
            ? "1 added, 0 there already, 2 deleted\n" : "0 added, 1 there already, 0 deleted\n"))
    }
    #expect(
      try export(copy, "--format", "jsonl").out == export(path, "--format", "jsonl").out)
    let fed = try ToolProcess.run(["changes", "--store", path])
    let other = folder.store("other")
    // Workouts name the type in their details, too.
    let added = #"{"kind":"added","type":"heartRate""#
    #expect(
      try ToolProcess.run(
        ["ingest", "-", "--store", other],
        input: fed.lines.filter { $0.hasPrefix(added) || $0.contains("anchor") }
          .joined(separator: "\n")
      ).status == 0)
  }
}

extension ToolRun {
  /// The anchor at the end of an export.
  var anchor: String? {
    error.split(separator: "\n").last.flatMap { line in
      line.hasPrefix("anchor ") ? String(line.dropFirst(7)) : nil
    }
  }
}
