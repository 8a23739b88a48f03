import Foundation
import HealthKit
import Testing

/// The follower of getting-started.md, during a program's writes.
@Suite struct FollowerTests {
  /// A running follower whose output is read line by line.
  private final class Run {
    private let process = Process()
    private let output = Pipe()
    private var rest = Data()

    init(_ store: URL, _ anchor: URL) throws {
      process.executableURL = URL(filePath: CommandLine.arguments[0])
        .deletingLastPathComponent().appending(path: "Follower")
      process.arguments = [store.path, anchor.path]
      process.standardOutput = output
      try process.run()
      // Otherwise this process would keep the pipe open.
      try output.fileHandleForWriting.close()
      // A missing line must fail the test instead of blocking it.
      DispatchQueue.global().asyncAfter(deadline: .now() + 3600) { [process] in
        if process.isRunning { process.terminate() }
      }
    }

    /// Waits for the next line.
    ///
    /// Returns nil when the program has ended.
    func line() -> String? {
      while true {
        if let end = rest.firstIndex(of: 10) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest = rest[(end + 1)...]
          return line
        }
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { return nil }
        rest += more
      }
    }

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    deinit { if process.isRunning { kill() } }
  }

  @Test func `a follower prints changes and resumes after it was killed`() async throws {
    let folder = try Folder()
    let directory = folder.url.appending(path: "store")
    let anchor = folder.url.appending(path: "anchor")
    let store = try HKHealthStore(directory: directory)
    let (one, two, three) = (beat(60), beat(61, 60), beat(62, 120))
    try await store.save(one)

    let first = try Run(directory, anchor)
    #expect(first.line() == "added \(one.uuid) 60 count/min")
    try await store.save(two)
    #expect(first.line() == "added \(two.uuid) 61 count/min")
    try await store.delete(one)
    #expect(first.line() == "deleted \(one.uuid)")
    first.kill()

    try await store.save(three)
    let second = try Run(directory, anchor)
    var lines: [String] = []
    while lines.last?.hasPrefix("added \(three.uuid)") != true, let line = second.line() {
      lines.append(line)
    }
    #expect(lines.last == "added \(three.uuid) 62 count/min")
    #expect(!lines.contains { $0.hasPrefix("added \(two.uuid)") })
    second.kill()
  }
}
