import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// The stream that a command of replication works with.
struct StreamChoice {
  /// The options that say where it is.
  static let options: [CommandUsage.Option] = [
    .init(
      name: "--server", value: "URL",
      help: "A NATS server; nats://127.0.0.1:4222 if absent. Name each of a cluster.",
      isRepeatable: true)
  ]

  /// The options that say what a stream is like that has to be made.
  static let making: [CommandUsage.Option] = [
    .init(
      name: "--stream-servers", value: "N",
      help: "How many servers keep the stream, if it has to be made: 1, unless given, or 3.",
      choices: ["1", "3"]),
    .init(
      name: "--stream-bytes", value: "N",
      help: "How large the stream grows before its oldest messages go; 1 GiB unless given."),
  ]

  private var choice = NATSOptions()

  init(_ arguments: ParsedArguments, making: Bool = false) throws(UsageError) {
    let servers = arguments.all("--server")
    if servers.contains("") { throw arguments.error("The value of the option --server is empty") }
    if !servers.isEmpty { choice.servers = servers }
    choice.makesStream = making
    guard making else { return }
    if let count = try arguments.count("--stream-servers") {
      guard count == 1 || count == 3 else {
        throw arguments.error("The option --stream-servers needs 1 or 3, not \(count)")
      }
      choice.replicaCount = count
    }
    if let bytes = try arguments.count("--stream-bytes") { choice.byteLimit = Int64(bytes) }
  }

  /// Connects to the stream of a store.
  func connect(to storeID: Identifier) throws -> any StreamTransport {
    try NATSStream.connect(to: storeID, options: choice)
  }

  /// The same for the store in a directory.
  func connect(toStoreAt path: String) throws -> any StreamTransport {
    try connect(to: try Self.storeID(path))
  }

  static func storeID(_ path: String) throws -> Identifier {
    try StoreOpening.reading(path).storeID
  }

  /// Whether a directory is a replica's.
  static func isReplica(_ path: String) throws -> Bool {
    try StoreOpening.using(path) { try PosixFileSystem().list(path) }?
      .contains(FileNames.replica) == true
  }

  /// What whoever opens a directory to save in it is called where it has the lease.
  static func holder(_ path: String) -> String {
    "\(ProcessInfo.processInfo.hostName):\(URL(fileURLWithPath: path).standardizedFileURL.path)"
  }

  /// Options of a store whose replication events go to standard error.
  static func options(_ console: Console) -> Database.Options {
    var options = Database.Options()
    options.onEvent = { event in
      switch event.kind {
      case .epochBegan, .streamUnreachable, .streamReachable, .resynchronizing,
        .publishingGap:
        console.note("\(event)")
      default: break
      }
    }
    return options
  }

  /// Rests between two looks at the stream.
  static func rest(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
}
