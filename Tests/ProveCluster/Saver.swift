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
        let time = DispatchTime.now().uptimeNanoseconds
        say("\(result.sequences?.lowerBound ?? 0) \(start) \(time)")
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

/// A save that the stream has confirmed, as a saver prints it.
struct ConfirmedSave {
  let sequence: UInt64
  let start: Double
  /// The time at which the saver learned it.
  let time: DispatchTime

  init?(_ line: some StringProtocol) {
    let words = line.split(separator: " ")
    guard words.count == 3, let sequence = UInt64(words[0]), let start = Double(words[1]),
      let time = UInt64(words[2])
    else { return nil }
    self.sequence = sequence
    self.start = start
    self.time = DispatchTime(uptimeNanoseconds: time)
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

  private var saves: [ConfirmedSave] {
    text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1).compactMap {
      ConfirmedSave($0)
    }
  }

  /// The samples that the stream has confirmed, by sequence number.
  var acknowledged: [UInt64: Double] {
    Dictionary(saves.map { ($0.sequence, $0.start) }) { first, _ in first }
  }

  /// The time of the last confirmed save.
  var lastTime: DispatchTime? { saves.last?.time }

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
