import Foundation
import HealthStore
import SampleLog
import Testing

@Suite struct CommandTests {
  @Test func `Help and version are printed to standard output`() throws {
    let help = try ToolProcess.run(["--help"])
    #expect(help.status == 0)
    for name in [
      "import", "query", "changes", "aggregate", "subjects", "sources", "stats", "delete",
      "expire", "erase", "compact", "verify", "doctor", "backup", "restore", "repair", "demo",
    ] {
      #expect(help.out.contains("\n  \(name) "))
      let own = try ToolProcess.run([name, "--help"])
      #expect(own.status == 0)
      #expect(own.out.hasPrefix("Usage: healthstore \(name)"))
      #expect(own.error.isEmpty)
    }
    let version = try ToolProcess.run(["--version"])
    #expect(version.status == 0)
    #expect(version.out.hasPrefix("healthstore 0."))
  }

  @Test(
    arguments: [
      [], ["nope"], ["query"], ["query", "--store", "x"], ["stats"], ["stats", "a", "b"],
      ["changes", "--store", "x", "--after", "zzz"],
      ["query", "--store", "x", "--type", "heartRate", "--format", "xml"],
      [
        "query", "--store", "x", "--type", "heartRate", "--from", "2024-02-02", "--to",
        "2024-02-01",
      ],
    ])
  func `Wrong usage ends with status 2 and one line on standard error`(arguments: [String]) throws {
    let run = try ToolProcess.run(arguments)
    #expect(run.status == 2)
    #expect(run.out.isEmpty)
    #expect(run.error.hasPrefix("healthstore: "))
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test(
    arguments: [
      ["query", "--store", "PATH", "--type", "heartRate"], ["changes", "--store", "PATH"],
      ["changes", "--store", "PATH", "--follow"], ["stats", "PATH"], ["compact", "PATH"],
      ["verify", "PATH"], ["expire", "PATH", "--all-types", "--older-than", "1d"],
      ["expire", "PATH", "--all-types", "--older-than", "1d", "--dry-run"],
    ])
  func `A missing store ends with status 2, is named, and is not made`(
    arguments: [String]
  ) throws {
    let folder = try TestFolder()
    let path = folder.store("missing")
    let run = try ToolProcess.run(arguments.map { $0 == "PATH" ? path : $0 })
    #expect(run.status == 2)
    #expect(run.error.contains("There is no store at \(path)"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `Statistics count samples, types and bytes, as text and as JSON`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61, 62])
    let run = try ToolProcess.run(["stats", path])
    #expect(run.status == 0)
    #expect(run.lines.contains { $0.hasPrefix("samples ") && $0.hasSuffix(" 3") })
    #expect(run.lines.contains { $0.hasPrefix("heartRate ") && $0.hasSuffix(" 3") })
    let json = try #require(ToolProcess.run(["stats", path, "--json"]).objects().first)
    #expect(json["samples"] as? Int == 3)
    #expect(json["deletions"] as? Int == 0)
    #expect(json["deletedRows"] as? Int == 0)
    #expect(json["newestSequence"] as? Int == 3)
    #expect(json["floor"] as? Int == 0)
    #expect(json["logs"] as? Int == 1)
    let bytes = try #require(json["bytes"] as? Int)
    #expect(json["bytesPerSample"] as? Double == Double(bytes) / 3)
    let types = try #require(json["types"] as? [[String: Any]])
    #expect(types.count == 1)
    #expect(types[0]["type"] as? String == "HKQuantityTypeIdentifierHeartRate")
    #expect(types[0]["rows"] as? Int == 3)
  }

  @Test func `Compaction drops deleted samples and changes no query result`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61, 62, 63])
    let query = ["query", "--store", path, "--type", "heartRate", "--format", "json"]
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let samples = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.heartRate))],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
    try await store.delete(samples[1])
    try await store.close()
    let before = try ToolProcess.run(query)
    let run = try ToolProcess.run(["compact", path])
    #expect(run.status == 0)
    #expect(run.out.contains("1 deleted sample dropped, 0 deletions forgotten"))
    #expect(run.error.isEmpty)
    let after = try ToolProcess.run(query)
    #expect(after.out == before.out)
    #expect(after.lines.count == 3)
    let stats = try #require(ToolProcess.run(["stats", path, "--json"]).objects().first)
    #expect(stats["samples"] as? Int == 3)
    #expect(stats["deletedRows"] as? Int == 0)
    #expect(stats["segments"] as? Int == 1)
  }

  @Test func `A dry run of compaction reports the gain, and changes nothing`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61, 62, 63])
    _ = try ToolProcess.run(["compact", path])
    _ = try ToolProcess.run(
      ["delete", path, "--type", "heartRate", "--to", "2024-02-01T08:02:00", "--yes"])
    let before = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    let dry = try ToolProcess.run(["compact", path, "--dry-run"])
    #expect(dry.lines.first?.hasPrefix("2 deleted samples would be dropped") == true, "\(dry.out)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == before)
    let run = try ToolProcess.run(["compact", path])
    #expect(run.out.contains("2 deleted samples dropped, 0 deletions forgotten"), "\(run.out)")
    for wrong in ["0d", "soon", "99999w"] {
      #expect(try ToolProcess.run(["compact", path, "--retention", wrong]).status == 2)
    }
  }

  @Test func `A retention decides which deletions a compaction forgets`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    // The store's clock is two hours behind.
    var options = Database.Options()
    let now = options.clock()
    options.clock = { now - 7200 }
    let database = try Database(path: path, options: options)
    try database.delete(where: SeriesSelection())
    try database.close()
    let first = try ToolProcess.run(["compact", path])
    #expect(first.out.contains("2 deleted samples dropped, 0 deletions forgotten"), "\(first.out)")
    for (retention, count) in [("3h", 0), ("1h", 2)] {
      let dry = try ToolProcess.run(["compact", path, "--retention", retention, "--dry-run"])
      #expect(dry.out.contains(" \(count) deletions in segments forgotten"), "\(dry.out)")
    }
    let run = try ToolProcess.run(["compact", path, "--retention", "1h"])
    #expect(run.out.contains(" 2 deletions forgotten"), "\(run.out)")
  }

  @Test func `A store in use by a writer can be read but not compacted`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let writer = try Database(path: path)
    defer { try? writer.close() }
    let compaction = try ToolProcess.run(["compact", path])
    #expect(compaction.status == 2)
    #expect(compaction.error.contains("The store at \(path) is open for writing in "))
    #expect(!compaction.error.contains("LOCK"))
    #expect(try ToolProcess.run(["verify", path]).status == 0)
    let query = try ToolProcess.run(["query", "--store", path, "--type", "heartRate"])
    #expect(query.status == 0)
    #expect(query.lines.count == 2)
  }

  @Test func `Verifying an intact store ends with status 0`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let run = try ToolProcess.run(["verify", path])
    #expect(run.status == 0)
    #expect(run.out.hasPrefix("good: 1 file, "))
  }

  @Test(arguments: [false, true])
  func `A damaged byte in a log or a segment is reported with file, offset and reason`(
    isSealed: Bool
  ) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: (0..<200).map { Double(50 + $0 % 40) })
    // A torn end of the log is valid, so the damage must precede the last commit.
    _ = try await folder.makeStore(heartRates: [60])
    if isSealed { #expect(try ToolProcess.run(["compact", path]).status == 0) }
    let suffix = isSealed ? ".segment" : ".log"
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let name = try #require(names.first { $0.hasSuffix(suffix) })
    let file = URL(fileURLWithPath: path + "/" + name)
    var bytes = try [UInt8](Data(contentsOf: file))
    // After the header and before the preallocated end of the log.
    bytes[isSealed ? bytes.count / 2 : 300] ^= 0x10
    try Data(bytes).write(to: file)
    let run = try ToolProcess.run(["verify", path])
    #expect(run.status == 5)
    #expect(run.lines.count >= 2)
    for line in run.lines.dropLast() { #expect(line.contains(": byte ")) }
    #expect(run.lines.contains { $0.hasPrefix("\(name): byte ") })
    #expect(run.lines.last?.hasPrefix("damaged: \(run.lines.count - 1) in ") == true)
  }

  @Test func `Reading a damaged store ends with status 5 and suggests verify`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: (0..<200).map { Double(50 + $0 % 40) })
    #expect(try ToolProcess.run(["compact", path]).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let name = try #require(names.first { $0.hasSuffix(".segment") })
    let file = URL(fileURLWithPath: path + "/" + name)
    var bytes = try [UInt8](Data(contentsOf: file))
    for index in bytes.count / 4..<bytes.count * 3 / 4 { bytes[index] ^= 0x55 }
    try Data(bytes).write(to: file)
    let run = try ToolProcess.run(["query", "--store", path, "--type", "heartRate"])
    #expect(run.status == 5)
    #expect(run.error.contains("\(name) is damaged at byte "))
  }

  @Test func `A directory with other files is not a store`() throws {
    let folder = try TestFolder()
    try folder.write("notes.txt", "nothing")
    #expect(try ToolProcess.run(["verify", folder.path]).status == 2)
    #expect(try ToolProcess.run(["stats", folder.path]).status == 2)
    #expect(try ToolProcess.run(["compact", folder.path]).status == 2)
  }

  @Test func `A closed pipe ends a long output silently`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [Double](repeating: 60, count: 5000))
    let tool = try RunningTool([
      "query", "--store", path, "--type", "heartRate", "--format", "json",
    ])
    _ = tool.nextLine()
    try tool.stopReading()
    tool.process.waitUntilExit()
    #expect(tool.process.terminationReason == .exit)
    #expect(tool.process.terminationStatus == 0)
  }

  @Test func `The demonstration shows every step and leaves nothing behind`() throws {
    let run = try ToolProcess.run(["demo"])
    #expect(run.status == 0)
    #expect(run.error.isEmpty)
    for text in [
      "1. A month", "2. What is in it", "3. A query", "4. A statistic", "5. Live", "6. An anchor",
      "7. Compaction", "as an HKDeletedObject", "observer    is woken",
      "since the anchor: 2 added (66, 67), 1 deleted",
    ] {
      #expect(run.out.contains(text))
    }
    #expect(run.lines.allSatisfy { $0.count <= 100 })
    let first = try #require(run.lines.first)
    let path = try #require(first.split(separator: " ").last.map(String.init))
    #expect(path.hasPrefix("/"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
