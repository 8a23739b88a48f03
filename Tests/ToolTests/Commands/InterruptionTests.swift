import AppleHealthExport
import Foundation
import HealthStore
import SampleLog
import Testing

@testable import HealthStoreTool

/// Interrupted commands stop at a resumable point and report it.
@Suite struct InterruptionTests {
  private func record(_ number: Int) -> String {
    let (minute, second) = (10 + number / 50 % 50, 10 + number % 50)
    let date = "2024-02-01 08:\(minute):\(second) +0000"
    return """
       <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" unit="count/min" \
      startDate="\(date)" endDate="\(date)" value="\(number)"/>

      """
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `An interrupted import keeps the records read, and another completes it`(
    number: Int32
  ) async throws {
    // The command stops reading when it ends.
    signal(SIGPIPE, SIG_IGN)
    let folder = try TestFolder()
    let process = Process()
    process.executableURL = try ToolProcess.executable()
    process.arguments = ["import", "-", "--store", folder.store()]
    let input = Pipe()
    let error = try folder.write("error", "")
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: error))
    try process.run()
    // Otherwise writing would block after the command has ended.
    try input.fileHandleForReading.close()
    while process.isRunning, !ToolProcess.handles(number, process) { await Task.yield() }
    kill(process.processIdentifier, number)
    // Keeps the command supplied with input until it handles the signal.
    var text = "<HealthData locale=\"en_GB\">\n <ExportDate value=\"2024-03-01 10:00:00 +0100\"/>\n"
    var count = 0
    while process.isRunning, count < 5_000_000 {
      for _ in 0..<1000 {
        text += record(count)
        count += 1
      }
      do {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      } catch { break }
      text = ""
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + number)
    #expect(process.terminationReason == .exit)
    let sentence = try String(contentsOfFile: error, encoding: .utf8)
    #expect(sentence.contains("Interrupted: what was read of the export is in the store"))
  }

  @Test func `An import cancelled after each object is eventually complete`() throws {
    let folder = try TestFolder()
    let export = try folder.write(
      "export.xml",
      "<HealthData locale=\"en_GB\">\n" + (0..<20).map(record).joined() + "</HealthData>")
    let store = try HKHealthStore(directory: URL(fileURLWithPath: folder.store()))
    for stop in [1, 5, 19] {
      let work = try ImportWork(export, Output(isTerminal: false) { _ in })
      try work.begin()
      var asked = 0
      #expect(throws: (any Error).self) {
        try work.run(into: store) {
          asked += 1
          return asked > stop
        }
      }
      #expect(work.summary.map { $0.added + $0.known } ?? 0 <= stop)
    }
    let rest = try ImportWork(export, Output(isTerminal: false) { _ in })
    try rest.begin()
    let summary = try rest.run(into: store)
    #expect(summary.added + summary.known == 20)
    #expect(summary.known > 0)
  }

  private let console = Console(
    out: Output(isTerminal: false) { _ in }, error: Output(isTerminal: false) { _ in })

  /// The failure of an interrupted command.
  private func failure(_ body: () throws -> HealthStoreTool.ExitStatus) -> Failure? {
    do {
      _ = try body()
      return nil
    } catch {
      return Failure(error)
    }
  }

  @Test(arguments: [(SIGINT, HealthStoreTool.ExitStatus.interrupted), (SIGTERM, .terminated)])
  func `Interrupted verification and backup report how to continue`(
    number: Int32, status: HealthStoreTool.ExitStatus
  ) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let verify = try VerifyCommand(ParsedArguments([path], VerifyCommand.usage))
    let first = failure { try verify.run(console, Interruption(by: number)) }
    #expect(first?.status == status)
    #expect(first?.sentence.contains("not every file was read; run it again") == true)
    let copy = folder.store("copy")
    let backup = try BackupCommand(
      ParsedArguments(["--store", path, copy], BackupCommand.usage))
    let second = failure { try backup.run(console, Interruption(by: number)) }
    #expect(second?.status == status)
    #expect(second?.sentence.contains("no backup is made, and \(copy) has no file of one") == true)
    #expect(try ToolProcess.run(["backup", "--store", path, copy]).status == 0)
  }

  /// Makes a store of two people that takes several compaction steps.
  private func makeTwoSegments(_ folder: TestFolder) async throws -> String {
    let path = try await folder.makeStore(heartRates: [60, 61])
    _ = try await folder.makeStore(subject: "bob", heartRates: [70])
    #expect(try ToolProcess.run(["compact", path]).status == 0)
    return try await folder.makeStore(heartRates: [62, 63])
  }

  @Test(arguments: [(SIGINT, HealthStoreTool.ExitStatus.interrupted), (SIGTERM, .terminated)])
  func `An interrupted write ends after a commit, and another run does the rest`(
    number: Int32, status: HealthStoreTool.ExitStatus
  ) async throws {
    let asked = Interruption(by: number)
    let folder = try TestFolder()
    let path = try await makeTwoSegments(folder)
    func check(_ words: [String], _ sentence: String, _ failure: Failure?) throws {
      #expect(failure?.status == status, "\(words)")
      #expect(failure?.sentence.contains(sentence) == true, "\(words): \(failure?.sentence ?? "")")
      #expect(try ToolProcess.run(words).status == 0, "\(words)")
    }

    let compact = [path]
    try check(
      ["compact"] + compact, "the files that were compacted stay so",
      failure {
        try CompactCommand(ParsedArguments(compact, CompactCommand.usage)).run(console, asked)
      })
    let expire = [path, "--all-types", "--older-than", "1h"]
    try check(
      ["expire"] + expire, "deleted 0 samples",
      failure {
        try ExpireCommand(ParsedArguments(expire, ExpireCommand.usage)).run(console, asked)
      }
    )
    let lines = try folder.write(
      "samples.csv", "uuid,type,start,value,unit\n\(UUID()),bodyMass,2024-03-01,70,kg\n")
    let ingest = [lines, "--store", path]
    try check(
      ["ingest"] + ingest, "go on with --from-line",
      failure {
        try IngestCommand(ParsedArguments(ingest, IngestCommand.usage)).run(console, asked)
      }
    )
    let load = [try folder.write("export.xml", exportText), "--store", path]
    let failure = failure {
      try ImportCommand(ParsedArguments(load, ImportCommand.usage)).run(console, asked)
    }
    #expect(failure?.status == status)
    #expect(failure?.sentence.contains("what was read of the export is in the store") == true)
  }

  @Test(arguments: [(SIGINT, HealthStoreTool.ExitStatus.interrupted), (SIGTERM, .terminated)])
  func `An interrupted compaction reports the remaining work, and compact does it`(
    number: Int32, status: HealthStoreTool.ExitStatus
  ) async throws {
    let folder = try TestFolder()
    let path = try await makeTwoSegments(folder)
    let expire = [path, "--all-types", "--older-than", "1h", "--compact"]
    let first = failure {
      try ExpireCommand(ParsedArguments(expire, ExpireCommand.usage)).run(
        console, Interruption(by: number, afterSteps: 3))
    }
    #expect(first?.status == status)
    #expect(first?.sentence.contains("deleted 4 samples, whose bytes") == true)
    #expect(first?.sentence.contains("`healthstore compact \(path)`") == true)

    let erase = [path, "--subject", "", "--yes"]
    let second = failure {
      try EraseCommand(ParsedArguments(erase, EraseCommand.usage)).run(console) {
        Interruption(by: number)
      }
    }
    #expect(second?.status == status)
    #expect(second?.sentence.contains("whose bytes are still in files") == true)
    #expect(second?.sentence.contains("`healthstore compact \(path)`") == true)
    #expect(try ToolProcess.run(["compact", path]).status == 0)
    #expect(try ToolProcess.run(["stats", path, "--json"]).objects()[0]["samples"] as? Int == 1)

    let doctor = try DoctorCommand(ParsedArguments([path], DoctorCommand.usage))
    #expect(failure { try doctor.run(console, Interruption(by: number)) }?.status == status)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `Commands that only print end at once by the signal`(number: Int32) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [Double](repeating: 60, count: 5000))
    for words in [
      ["query", "--type", "heartRate"], ["export", "--format", "sql"], ["changes"],
    ] {
      let tool = try RunningTool(words + ["--store", path])
      // The remaining output exceeds the pipe's buffer, so the command cannot end by itself.
      #expect(tool.nextLine() != nil)
      kill(tool.process.processIdentifier, number)
      tool.process.waitUntilExit()
      #expect(tool.process.terminationReason == .uncaughtSignal, "\(words)")
      #expect(tool.process.terminationStatus == number, "\(words)")
    }
  }

  @Test func `A backup interrupted at any file leaves none, and the next is complete`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    _ = try ToolProcess.run(["compact", path])
    _ = try await folder.makeStore(heartRates: [70])
    var ended = 0
    for limit in 0..<100 {
      let opened = Locked(0)
      let files = InterruptibleFiles {
        opened.withLock { count in
          count += 1
          return count > limit
        }
      }
      let copy = folder.store("copy\(limit)")
      do {
        let database = try Database(path: path, mode: .readOnly, fileSystem: files)
        try database.backup(to: copy, linksFiles: limit % 2 == 0)
        break
      } catch StoreError.cancelled {
        ended += 1
        let left = (try? FileManager.default.contentsOfDirectory(atPath: copy)) ?? []
        #expect(left.isEmpty, "\(limit): \(left)")
      }
    }
    #expect(ended > 4)
    #expect(ended < 100)
  }
}
