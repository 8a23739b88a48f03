import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// A replica in a separate process, which follows until it is killed.
enum ReplicaProcess {
  static func run(_ path: String, _ options: NATSOptions) throws {
    let store = try Database(path: path, mode: .readOnly).storeID
    let replica = try Replica(path: path, transport: try connect(to: store, options))
    while true {
      do {
        if try replica.step() == .idle { pause(0.002) }
      } catch is NATSError {
        pause(0.02)
      }
    }
  }

  /// Connects to a stream, and waits until a server answers.
  static func connect(
    to store: Identifier, _ options: NATSOptions
  ) throws -> any StreamTransport {
    while true {
      do {
        return try NATSStream.connect(to: store, options: options)
      } catch let error as NATSError where error != .notBuilt {
        pause(0.05)
      }
    }
  }
}

/// This program, started to save or to follow, and its output.
final class Child {
  private let process = Process()
  private let output: FileHandle
  private var rest = Data()
  /// The complete lines read so far.
  private(set) var lines: [String] = []

  init(_ work: String, _ path: String, _ options: NATSOptions, in folder: URL) throws {
    let file = folder.appending(path: "said-\(UUID().uuidString)")
    try Data().write(to: file)
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [work, path, String(options.replicaCount)] + options.servers
    let handle = try FileHandle(forWritingTo: file)
    process.standardOutput = handle
    process.standardError = handle
    output = try FileHandle(forReadingFrom: file)
    try process.run()
  }

  deinit { kill() }

  var isRunning: Bool { process.isRunning }

  func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }

  func kill() {
    if process.isRunning { signal(SIGKILL) }
    process.waitUntilExit()
  }

  /// Reads further output.
  func read() throws {
    rest += try output.readToEnd() ?? Data()
    while let end = rest.firstIndex(of: 10) {
      lines.append(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
      rest = Data(rest[(end + 1)...])
    }
  }

  /// Throws if the process has ended.
  func check(_ name: String) throws {
    if isRunning { return }
    try read()
    throw Breach(description: "\(name) has ended: " + lines.suffix(3).joined(separator: " "))
  }

  func waitForEnd(within seconds: Double) throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while isRunning {
      try expect(ContinuousClock.now < deadline, "the process does not end")
      pause(0.01)
    }
    try read()
  }
}
