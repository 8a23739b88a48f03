import SampleLog
import SampleLogNATS
import SampleLogReplication

/// `healthstore replica`: follows a primary.
struct ReplicaCommand: Command {
  static let usage = CommandUsage(
    name: "replica", summary: "Follows a store's primary in a copy that answers queries.",
    store: .using,
    options: StreamAccess.options + [
      .init(
        name: "--from", value: "BACKUP",
        help: "The backup to make the replica from, if DIR does not exist or is empty."),
      .init(
        name: "--copy",
        help: "Receives a copy from a running replica or primary if DIR has no store, or if the "
          + "replica needs one."),
      .init(
        name: "--stream", value: "NAME",
        help: "The store's stream, which `healthstore cluster` shows; needed by --copy if DIR has "
          + "no store."),
      .init(
        name: "--keep", value: "DIR",
        help: "Converts a replaced primary, and keeps its unpublished commits here."),
      .init(
        name: "--name", value: "NAME",
        help: "The name under which it reports its position; default: its machine and DIR."),
      .init(name: "--once", help: "Ends when there is nothing more to read."),
      MetricsFile.option,
    ],
    notes: [
      "A replica is made from a backup of its primary (`healthstore backup`) or of another "
        + "replica, or with --copy from a copy that one of them sends through the stream's "
        + "servers. It reads everything after that from the stream until it is interrupted. "
        + "Meanwhile, queries, feeds and backups work and accept the primary's anchors; saving is "
        + "an error.",
      "It reports its durable position to the stream's servers; `healthstore cluster` shows "
        + "the reports and `healthstore primary --copies` counts them. Each replica needs a name "
        + "of its own.",
      "With --keep, DIR is the store of an old primary after another copy was promoted. If "
        + "all of its commits were published, it becomes a replica in place. Otherwise a backup "
        + "with the unpublished commits is written to the directory after --keep, and the "
        + "replica is made from the backup after --from or with --copy.",
      "Exit status: 0 success, 1 failed, 2 a file or directory that cannot be used, 5 a damaged "
        + "store or copy, 9 no server answers at the start, or no copy of the store offers "
        + "itself, 10 the replica needs a backup, 143 interrupted while receiving a copy.",
    ])

  private let store: String
  private let backup: String?
  private let kept: String?
  private let takesCopies: Bool
  /// The identity in the option `--stream`, or nil if the option is absent.
  private let storeID: Identifier?
  private let name: String
  private let endsWhenIdle: Bool
  private let stream: StreamChoice
  private let metrics: MetricsFile

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    backup = arguments["--from"]
    kept = arguments["--keep"]
    takesCopies = arguments.has("--copy")
    if takesCopies, backup != nil {
      throw arguments.error("The options --copy and --from exclude each other")
    }
    storeID = arguments["--stream"].flatMap { NATSStream.storeID(ofStream: $0) }
    if let stream = arguments["--stream"], storeID == nil {
      throw arguments.error(
        "\(stream) after --stream is not the name of a store's stream: HS_ and 32 digits")
    }
    name = arguments["--name"] ?? StreamChoice.holder(store)
    guard (1...200).contains(name.utf8.count) || arguments["--name"] == nil else {
      throw arguments.error("The option --name needs a name of 1 to 200 bytes")
    }
    endsWhenIdle = arguments.has("--once")
    stream = try StreamChoice(arguments)
    metrics = try MetricsFile(arguments)
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let interruption = Interruption()
    let names = try StoreOpening.using(store) { try PosixFileSystem().list(store) } ?? []
    let isUnfinished = takesCopies && names.contains(FileNames.unfinished)
    if !names.contains(where: FileNames.isData) || isUnfinished {
      try make(console, interruption)
    } else if try !StreamChoice.isReplica(store) {
      try rejoin(console, interruption)
    }
    let transport = try stream.connect(toStoreAt: store)
    var isReceived = false
    while true {
      let replica = try open(transport, console)
      defer { try? replica.close() }
      let start = replica.database.end
      do {
        try replicate(to: replica, interruption)
      } catch ReplicationError.needsBackup(let end)
        where takesCopies && (!isReceived || end > start)
      {
        // A copy that the stream no longer continues when it arrives would be requested forever.
        isReceived = true
        try replica.close()
        try receive(replica.database.storeID, transport, console, interruption)
        continue
      }
      try console.report([
        "a replica up to sequence number \(Figures.count(replica.database.end))"
      ])
      return .good
    }
  }

  private func open(_ transport: any StreamTransport, _ console: Console) throws -> Replica {
    try StoreOpening.using(store) {
      try Replica(
        path: store, transport: transport, options: StoreOpening.noting(console), name: name)
    }
  }

  private func replicate(to replica: Replica, _ interruption: Interruption) throws {
    var pause = IdlePause(longest: Self.longestPause)
    while !interruption.isAsked {
      try metrics.update { replica.metrics().prometheusText }
      do {
        let step = try replica.step()
        if step == .idle, endsWhenIdle { return }
        let rest = pause.next(isIdle: step == .idle)
        if rest > 0 { StreamChoice.rest(rest) }
      } catch is NATSError where !endsWhenIdle {
        StreamChoice.rest(Self.longestPause)
      }
    }
  }

  /// The longest pause between two reads of an idle stream, in seconds.
  private static let longestPause = 0.016

  private func make(_ console: Console, _ interruption: Interruption) throws {
    if takesCopies {
      guard let storeID else {
        throw Failure(
          "There is no store at \(store); name with --stream the stream of the store to copy, "
            + "which `healthstore cluster` shows on another copy.", status: .unusable)
      }
      return try receive(storeID, stream.connect(to: storeID), console, interruption)
    }
    guard let backup else {
      throw Failure(
        "There is no store at \(store); name with --from a backup of the primary, or receive a "
          + "copy with --copy.", status: .unusable)
    }
    try StoreOpening.using(store) {
      try Replica.make(from: backup, at: store, of: Self.writer)
    }
  }

  /// The name of the primary in the errors of saving.
  private static let writer = "the writer of its stream"

  private func receive(
    _ storeID: Identifier, _ transport: any StreamTransport, _ console: Console,
    _ interruption: Interruption
  ) throws {
    console.note("\(store) requests a copy of the store.")
    var shown: UInt64?
    try StoreOpening.using(store) {
      try Replica.receive(
        storeID, at: store, of: Self.writer, transport: transport, name: name
      ) { progress in
        if interruption.isAsked {
          throw interruption.failure(
            "\(Figures.bytes(Int(progress.received))) of the copy were received and removed",
            advice: "run it again")
        }
        if let byteCount = progress.byteCount, byteCount > 0 {
          let tenths = progress.received * 10 / byteCount
          if shown != tenths {
            console.note(
              "\(store) has received \(tenths * 10) % of \(Figures.bytes(Int(byteCount))).")
          }
          shown = tenths
        }
        if progress.isWaiting { StreamChoice.rest(0.005) }
      }
    }
  }

  private func rejoin(_ console: Console, _ interruption: Interruption) throws {
    guard let kept else {
      throw Failure(
        "\(store) is no replica; if another was promoted in its place, name with --keep where to "
          + "keep what only it has.", status: .unusable)
    }
    let storeID = try StreamChoice.storeID(store)
    let transport = try stream.connect(to: storeID)
    let result = try StoreOpening.using(store) {
      try Replica.rejoin(
        store, as: Self.writer, transport: transport, keeping: kept)
    }
    guard let result else {
      throw Failure(
        "\(store) is the primary still: by its stream nothing was promoted in its place.",
        status: .unusable)
    }
    guard let unpublished = result.unpublished else { return }
    console.note(
      "The commits from \(unpublished.lowerBound) to \(unpublished.upperBound) were not published; "
        + "\(kept) keeps them.")
    if takesCopies { return try receive(storeID, transport, console, interruption) }
    try make(console, interruption)
  }
}
