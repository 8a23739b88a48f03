import Foundation
import HealthStore
import SampleLog
import Testing

/// `healthstore delete`.
@Suite struct DeleteTests {
  private func makeStore(_ folder: TestFolder) async throws -> String {
    _ = try await folder.makeStore(subject: "ada", heartRates: [70, 71, 72])
    let path = try await folder.makeStore(heartRates: [60, 61, 62, 63])
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let start = Date(timeIntervalSince1970: 1_706_774_400)
    try await store.save(
      HKQuantitySample(
        type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 9),
        start: start, end: start + 60))
    try await store.close()
    return path
  }

  /// The values of all remaining samples, sorted.
  private func values(_ path: String) throws -> [Double] {
    try ToolProcess.run(
      ["query", "--store", path, "--all-types", "--all-subjects", "--format", "jsonl"]
    ).objects().compactMap { $0["value"] as? Double }.sorted()
  }

  @Test(
    arguments: [
      (["--type", "heartRate"], [9, 70, 71, 72]),
      (["--type", "heartRate", "--subject", "ada"], [9, 60, 61, 62, 63]),
      (["--type", "heartRate", "--type", "stepCount"], [70, 71, 72]),
      (["--all-types", "--all-subjects"], []),
      (["--all-types"], [70, 71, 72]),
      (
        ["--type", "heartRate", "--from", "2024-02-01T08:01:00", "--to", "2024-02-01T08:03:00"],
        [9, 60, 63, 70, 71, 72]
      ),
    ])
  func `Delete removes exactly the samples that query prints`(
    options: [String], left: [Double]
  ) async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let all = try values(path)
    let shown = try ToolProcess.run(["query", "--store", path, "--format", "jsonl"] + options)
    let dry = try ToolProcess.run(["delete", path, "--dry-run", "--json"] + options).objects()
    #expect(dry.first?["wouldDelete"] as? Int == shown.lines.count)
    #expect(try values(path) == all)
    let run = try ToolProcess.run(["delete", path, "--yes", "--json"] + options)
    #expect(run.status == 0)
    #expect(try run.objects().first?["deleted"] as? Int == all.count - left.count)
    #expect(try values(path) == left)
  }

  @Test func `A sample is deleted by its UUID, and the report names its subject`() async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let query = ["query", "--store", path, "--type", "heartRate", "--subject", "ada"]
    let first = try #require(ToolProcess.run(query + ["--format", "jsonl"]).objects().first)
    let uuid = try #require(first["uuid"] as? String)
    let run = try ToolProcess.run(["delete", path, "--uuid", uuid, "--yes"])
    #expect(run.lines.last == "1 sample deleted")
    #expect(run.lines.contains("ada      heartRate        1"), "\(run.out)")
    #expect(try values(path) == [9, 60, 61, 62, 63, 71, 72])
    let again = try ToolProcess.run(["delete", path, "--uuid", uuid, "--yes"])
    #expect(again.status == 1)
    #expect(again.error.contains("nothing was deleted"))
  }

  @Test func `Deleting everything requires an option, and a pipe is not prompted`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let bare = try ToolProcess.run(["delete", path, "--yes"])
    #expect(bare.status == 2)
    #expect(bare.error.contains("One of the options --type, --all-types and --uuid is needed"))
    let unasked = try ToolProcess.run(["delete", path, "--type", "heartRate"])
    #expect(unasked.status == 2)
    #expect(unasked.error.contains("say --yes"))
    let variables = ["HEALTHSTORE_PATH": path]
    let unnamed = try ToolProcess.shell("\"$tool\" delete --all-types --yes", variables)
    #expect(unnamed.status == 2)
    #expect(try values(path).count == 8)
  }

  @Test(arguments: [("n", 1, 8), ("y", 0, 4)])
  func `A terminal is prompted with the number of samples`(
    answer: String, status: Int32, left: Int
  ) async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let script = try folder.write(
      "answer.py",
      """
      import os, pty, sys
      child, terminal = pty.fork()
      if child == 0: os.execv(sys.argv[2], sys.argv[2:])
      text = b''
      while b'[y/N]' not in text: text += os.read(terminal, 1000)
      os.write(terminal, sys.argv[1].encode() + b'\\n')
      try:
          while True: text += os.read(terminal, 1000)
      except OSError: pass
      print(text.decode())
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """)
    let run = try ToolProcess.shell(
      "python3 '\(script)' \(answer) \"$tool\" delete '\(path)' --type heartRate")
    #expect(run.status == status, "\(run.error)")
    #expect(run.out.contains("Delete 4 samples? [y/N]"))
    #expect(try values(path).count == left)
  }

  @Test func `Only a dry run works while another process writes`() async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let writer = try Database(path: path)
    defer { try? writer.close() }
    let delete = ["delete", path, "--type", "heartRate"]
    #expect(try ToolProcess.run(delete + ["--dry-run"]).lines.last == "4 samples would be deleted")
    let run = try ToolProcess.run(delete + ["--yes"])
    #expect(run.status == 2)
    #expect(run.error.contains("is open for writing in"))
  }
}
