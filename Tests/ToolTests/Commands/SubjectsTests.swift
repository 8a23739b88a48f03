import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// `healthstore subjects` and `healthstore erase`.
@Suite struct SubjectsTests {
  private static let odd = "a \"b\", c"

  private func makeStore(_ folder: TestFolder) async throws -> String {
    _ = try await folder.makeStore(heartRates: [60])
    _ = try await folder.makeStore(subject: Self.odd, heartRates: [61, 62])
    return try await folder.makeStore(subject: "ada", heartRates: [70, 71, 72])
  }

  @Test func `Subjects are listed in every format, and a parser reads them back`() async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let table = try ToolProcess.run(["subjects", path])
    #expect(table.status == 0)
    #expect(table.lines.first?.hasPrefix("SUBJECT") == true)
    #expect(table.lines.last?.hasPrefix("ada") == true)
    let lines = try ToolProcess.run(["subjects", "--store", path, "--format", "jsonl"]).objects()
    #expect(lines.map { $0["subject"] as? String } == ["", Self.odd, "ada"])
    #expect(lines.map { $0["samples"] as? Int } == [1, 2, 3])
    #expect(lines[2]["first"] as? String == "2024-02-01T08:00:00Z")
    #expect(lines[2]["last"] as? String == "2024-02-01T08:02:00Z")
    let json = try ToolProcess.run(["subjects", path, "--format", "json"])
    let array = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [[String: Any]]
    #expect(array?.map { $0["subject"] as? String } == ["", Self.odd, "ada"])
    let csv = try ToolProcess.shell(
      "\"$tool\" subjects '\(path)' --format csv | "
        + "python3 -c 'import csv, sys; print([r[0] for r in csv.reader(sys.stdin)])'")
    #expect(csv.out == "['subject', '', '\(Self.odd)', 'ada']\n")
  }

  @Test func `An empty store has an empty list`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [])
    for (format, text) in [("json", "[]\n"), ("jsonl", "")] {
      #expect(try ToolProcess.run(["subjects", path, "--format", format]).out == text)
    }
  }

  @Test func `The store may be named by an option, alone or by the environment`() async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let variables = ["HEALTHSTORE_PATH": path]
    #expect(try ToolProcess.shell("\"$tool\" subjects", variables).status == 0)
    #expect(try ToolProcess.shell("\"$tool\" query --type heartRate", variables).status == 0)
    let backup = try ToolProcess.shell("\"$tool\" backup '\(folder.path)/backup'", variables)
    #expect(backup.status == 0, "\(backup.error)")
    let restore = try ToolProcess.shell(
      "\"$tool\" restore '\(folder.path)/backup'", ["HEALTHSTORE_PATH": folder.store("new")])
    #expect(restore.status == 0, "\(restore.error)")
    #expect(try ToolProcess.run(["subjects", folder.store("new")]).lines.count == 4)
    // An existing store is not replaced.
    let again = try ToolProcess.shell("\"$tool\" restore '\(folder.path)/backup'", variables)
    #expect(again.status == 2)
    // An argument takes precedence over the environment.
    #expect(try ToolProcess.shell("\"$tool\" subjects nowhere", variables).status == 2)
    for command in ["erase --subject ada --yes", "compact", "expire --all-types --older-than 1w"] {
      let run = try ToolProcess.shell("\"$tool\" \(command)", variables)
      #expect(run.status == 2)
      #expect(run.error.contains("The option --store DIR is missing"), "\(run.error)")
    }
    let twice = try ToolProcess.run(["subjects", path, "--store", path])
    #expect(twice.status == 2)
    #expect(twice.error.contains("given twice"))
    let unset = try ToolProcess.shell("env -u HEALTHSTORE_PATH \"$tool\" subjects")
    #expect(unset.status == 2)
    #expect(unset.error.contains("HEALTHSTORE_PATH is not set"))
  }

  @Test func `Erasing removes a subject from every file and reports the files`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let dry = try ToolProcess.run(["erase", path, "--subject", "ada", "--dry-run"])
    #expect(dry.out == "3 samples of ada would go\n")
    #expect(try ToolProcess.run(["subjects", path]).lines.count == 4)
    let unasked = try ToolProcess.run(["erase", path, "--subject", "ada"])
    #expect(unasked.status == 2)
    #expect(unasked.error.contains("say --yes"))
    #expect(try ToolProcess.run(["subjects", path]).lines.count == 4)

    let run = try ToolProcess.run(["erase", path, "--subject", "ada", "--yes"])
    #expect(run.status == 0)
    #expect(run.lines.first == "3 samples of ada erased; no row of ada is in:")
    #expect(run.lines.last == "Backups made before are not reached.")
    let files = try FileManager.default.contentsOfDirectory(atPath: path)
    let looked = run.lines.dropFirst().dropLast().map { $0.trimmingPrefix("  ") }
    #expect(Set(looked.map(String.init)) == Set(files.filter { $0 != "LOCK" }))
    #expect(try ToolProcess.run(["subjects", path, "--format", "jsonl"]).lines.count == 2)

    let object = try #require(
      try ToolProcess.run(["erase", path, "--subject", "", "--yes", "--json"]).objects().first)
    #expect(object["erased"] as? Int == 1)
    #expect((object["files"] as? [String])?.isEmpty == false)
    let again = try ToolProcess.run(["erase", path, "--subject", "ada", "--yes"])
    #expect(again.status == 1)
    #expect(again.error.contains("has nothing of ada"))
    #expect(try ToolProcess.run(["verify", path]).status == 0)
  }

  @Test func `Misspelt words get a suggestion`() async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    for (arguments, answer) in [
      (["subject", path], "There is no command subject; did you mean subjects?"),
      (
        ["subjects", path, "--fromat", "csv"], "There is no option --fromat; did you mean --format?"
      ),
      (
        ["query", path, "--type", "hartRate"], "There is no type hartRate; did you mean heartRate?"
      ),
      (
        ["query", path, "--type", "HKQuantityTypeIdentifierHeartRat"],
        "did you mean HKQuantityTypeIdentifierHeartRate?"
      ),
      (["changes", path, "--type", "HKNothingLikeIt"], "nor has the store one"),
      (
        ["expire", path, "--type", "HKQuantityTypeIdentifierStepCoun", "--older-than", "1w"],
        "did you mean HKQuantityTypeIdentifierStepCount?"
      ),
    ] {
      let run = try ToolProcess.run(arguments)
      #expect(run.status == 2, "\(arguments)")
      #expect(run.error.contains(answer), "\(run.error)")
    }
  }

  @Test func `A type that only the store knows can be queried`() async throws {
    let folder = try TestFolder()
    let export = try folder.write(
      "export.xml",
      exportText.replacing("HKQuantityTypeIdentifierHeartRate", with: "HKQuantityTypeIdentifierNew")
    )
    let path = folder.store()
    _ = try ToolProcess.run(["import", export, "--store", path])
    let run = try ToolProcess.run(["query", path, "--type", "HKQuantityTypeIdentifierNew"])
    #expect(run.status == 0, "\(run.error)")
  }
}
