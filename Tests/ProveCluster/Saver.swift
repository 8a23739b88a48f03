import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// A primary in a separate process, which saves one sample after another and prints those that the
/// stream has confirmed.
enum Saver {
  static func run(_ path: String, _ options: NATSOptions) throws {
    let store = try Database(path: path, mode: .readOnly).storeID
    let stream = try ReplicaProcess.connect(to: store, options)
    let primary = try Primary(path: path, transport: stream)
    Thread.detachNewThread {
      while true {
        primary.check()
        pause(0.1)
      }
    }
    // Greater than all earlier start dates, also after a restart.
    var start = Double(primary.database.end)
    while true {
      do {
        let result = try primary.commit(
          primary.database.batch(1, from: start), acknowledgement: .replicated)
        say("\(result.sequences?.lowerBound ?? 0) \(start)")
      } catch ReplicationError.notReplicated {
        // The commit is stored and published once the servers work again.
      } catch StoreError.fenced {
        return say("fenced")
      }
      start += 1
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

/// A started saver and its output.
final class SaverProcess {
  private let process = Process()
  private let pipe = Pipe()
  private var text = ""

  init(_ path: String, _ options: NATSOptions) throws {
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments =
      ["save", path, String(options.replicaCount)] + options.servers
    process.standardOutput = pipe
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// The samples that the stream has confirmed, by sequence number.
  var acknowledged: [UInt64: Double] {
    let pairs = text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
      .compactMap { line -> (UInt64, Double)? in
        let words = line.split(separator: " ")
        guard words.count == 2, let number = UInt64(words[0]), let start = Double(words[1])
        else { return nil }
        return (number, start)
      }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Reads output until there are the given number of lines or the process has ended.
  func read(lines: Int) {
    while text.utf8.count(where: { $0 == 10 }) < lines {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { return }
      text += String(decoding: data, as: UTF8.self)
    }
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for the end of the process and returns whether it was fenced.
  func finish() -> Bool {
    read(lines: .max)
    process.waitUntilExit()
    return text.hasSuffix("fenced\n")
  }
}
