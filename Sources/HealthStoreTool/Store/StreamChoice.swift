import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// The replication stream that a command uses, as its options describe it.
struct StreamChoice {
  /// The options for a stream that the command creates.
  static let making: [CommandUsage.Option] = [
    .init(
      name: "--stream-servers", value: "N",
      help: "The number of servers that keep the stream, if it must be created: 1 "
        + "(default) or 3.",
      choices: ["1", "3"]),
    .init(
      name: "--stream-bytes", value: "N",
      help: "The size at which the stream discards its oldest messages; default: 1 GiB."),
  ]

  private var choice: NATSOptions

  init(
    _ arguments: ParsedArguments, making: Bool = false, requiresStream: Bool = false
  ) throws(UsageError) {
    choice = try StreamAccess.choice(arguments)
    choice.makesStream = making
    choice.requiresStream = requiresStream
    guard making else { return }
    if let count = try arguments.count("--stream-servers") {
      guard count == 1 || count == 3 else {
        throw arguments.error("The option --stream-servers needs 1 or 3, not \(count)")
      }
      choice.replicaCount = count
    }
    if let bytes = try arguments.count("--stream-bytes") { choice.byteLimit = Int64(bytes) }
  }

  func connect(to storeID: Identifier) throws -> any StreamTransport {
    try NATSStream.connect(to: storeID, options: choice)
  }

  /// Connects to the stream of the store in a directory.
  func connect(toStoreAt path: String) throws -> any StreamTransport {
    try connect(to: try Self.storeID(path))
  }

  /// Reads the state of the stream of a copy.
  func status(of database: Database) throws -> ClusterStatus {
    try ClusterStatus(
      of: database.storeID, copy: database, transport: try connect(to: database.storeID))
  }

  static func storeID(_ path: String) throws -> Identifier {
    try StoreOpening.reading(path).storeID
  }

  /// Returns whether a directory holds a replica.
  static func isReplica(_ path: String) throws -> Bool {
    try StoreOpening.using(path) { try PosixFileSystem().list(path) }?
      .contains(FileNames.replica) == true
  }

  /// Returns the name under which a writer that opens the directory holds the lease.
  static func holder(_ path: String) -> String {
    "\(ProcessInfo.processInfo.hostName):\(URL(fileURLWithPath: path).standardizedFileURL.path)"
  }

  /// Blocks the calling thread between two polls of the stream, for a number of seconds.
  static func rest(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
}
