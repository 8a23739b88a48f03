import AppleHealthExport
import Foundation
import SampleLog
import Testing

@testable import HealthStoreTool

/// A signal ends commands that wait for input.
@Suite struct WaitingTests {
  private static let heading = "<HealthData locale=\"en_GB\">\n"
  private static let record =
    " <Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Watch\" unit=\"count/min\""
    + " startDate=\"2024-02-01 08:00:00 +0000\" endDate=\"2024-02-01 08:00:00 +0000\""
    + " value=\"62\"/>\n <Record"

  private static func line(_ id: UUID = UUID()) -> String {
    #"{"uuid":"\#(id)","type":"bodyMass","start":"2024-03-01T08:00:00Z","value":70,"unit":"kg"}"#
      + "\n"
  }

  /// A command with its input, and the maximum number of samples that it has saved at its end.
  struct Wait: CustomTestStringConvertible, Sendable {
    var command: String
    var sent: String
    var saved: Int

    var testDescription: String { "\(command) after \(sent.utf8.count) bytes" }
  }

  static let waits = [
    Wait(command: "import", sent: "", saved: 0),
    Wait(command: "import", sent: "<Heal", saved: 0),
    Wait(command: "import", sent: heading + record, saved: 1),
    Wait(command: "ingest", sent: "", saved: 0),
    Wait(command: "ingest", sent: #"{"uuid""#, saved: 0),
    Wait(command: "ingest", sent: line() + line() + #"{"uuid""#, saved: 2),
  ]

  /// Waits until the reader of a pipe has read all its bytes.
  private func waitUntilEmpty(_ descriptor: Int32, _ process: Process) async {
    var left: Int32 = 1
    while left > 0, process.isRunning {
      _ = ioctl(descriptor, UInt(FIONREAD), &left)
      await Task.yield()
    }
  }

  @Test(arguments: waits, [true, false])
  func `A signal ends a command that waits for input, and keeps the lines read`(
    wait: Wait, isNamed: Bool
  ) async throws {
    let folder = try TestFolder()
    let pipe = folder.store("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    // Opened for reading and writing, so that opening does not block and the pipe has no end of
    // file.
    let end = open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(end) }
    let number = isNamed ? SIGTERM : SIGINT
    let process = Process()
    process.executableURL = try ToolProcess.executable()
    process.arguments = [wait.command, isNamed ? pipe : "-", "--store", folder.store()]
    process.standardInput = FileHandle(fileDescriptor: isNamed ? open("/dev/null", O_RDONLY) : end)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    DispatchQueue.global().asyncAfter(deadline: .now() + 3600) {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    while process.isRunning, !ToolProcess.handles(number, process) { await Task.yield() }
    _ = wait.sent.withCString { write(end, $0, strlen($0)) }
    await waitUntilEmpty(end, process)
    kill(process.processIdentifier, number)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 128 + number)
    // The signal may arrive between two samples.
    let stats = try ToolProcess.run(["stats", folder.store(), "--json"])
    if stats.status == 0 {
      #expect(try #require(stats.objects()[0]["samples"] as? Int) <= wait.saved)
      #expect(try ToolProcess.run(["verify", folder.store()]).status == 0)
    }
  }

  @Test(arguments: ["import", "ingest"])
  func `A signal ends a command that opens a pipe without a writer`(
    command: String
  ) async throws {
    let folder = try TestFolder()
    let pipe = folder.store("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let tool = try RunningTool([command, pipe, "--store", folder.store()])
    while tool.process.isRunning, !ToolProcess.handles(SIGINT, tool.process) { await Task.yield() }
    tool.process.interrupt()
    tool.process.waitUntilExit()
    #expect(tool.process.terminationReason == .exit)
    #expect(tool.process.terminationStatus == 130)
    // No store is made without input.
    #expect(!FileManager.default.fileExists(atPath: folder.store()))
  }

  @Test(arguments: [
    (line(), line() + #"{"uuid":"4"#, 3),
    ("uuid,type,start,value,unit,source\n", "\(UUID()),bodyMass,2024-03-01,70,kg,a\n,\"b\nc", 3),
    ("", "uuid,type,start,value,unit,source\n\(UUID()),bodyMass,2024-03-01,70,kg,\"a\nb", 1),
  ])
  func `Input resumes at the first incomplete line`(
    first: String, second: String, line: Int
  ) throws {
    let folder = try TestFolder()
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data((first + second).utf8))
    var asked = 0
    let input = FileInput(pipe.fileHandleForReading) {
      asked += 1
      return asked > 1
    }
    let database = try Database(path: folder.store())
    var ingestion = Ingestion(
      try RecordReader(input, nil), into: database, subject: "", from: 1)
    #expect(try !ingestion.run())
    #expect(ingestion.resume == line)
    #expect(ingestion.summary.added == (line == 1 ? 0 : first.hasPrefix("{") ? 2 : 1))
    try database.close()
  }
}
