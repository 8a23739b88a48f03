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
        + "replica, and reads everything after the backup from the stream until it is "
        + "interrupted. Meanwhile, queries, feeds and backups work and accept the primary's "
        + "anchors; saving is an error.",
      "It reports its durable position to the stream's servers; `healthstore cluster` shows "
        + "the reports and `healthstore primary --copies` counts them. Each replica needs a name "
        + "of its own.",
      "With --keep, DIR is the store of an old primary after another copy was promoted. If "
        + "all of its commits were published, it becomes a replica in place. Otherwise a backup "
        + "with the unpublished commits is written to the directory after --keep, and the "
        + "replica is made from the backup after --from.",
      "Exit status: 0 success, 1 failed, 2 a file or directory that cannot be used, 5 a damaged "
        + "store, 9 no server answers at the start, 10 the replica needs a backup.",
    ])

  private let store: String
  private let backup: String?
  private let kept: String?
  private let name: String
  private let endsWhenIdle: Bool
  private let stream: StreamChoice
  private let metrics: MetricsFile

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    backup = arguments["--from"]
    kept = arguments["--keep"]
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
    if !names.contains(where: FileNames.isData) {
      try make()
    } else if try !StreamChoice.isReplica(store) {
      try rejoin(console)
    }
    let transport = try stream.connect(toStoreAt: store)
    let replica = try StoreOpening.using(store) {
      try Replica(
        path: store, transport: transport, options: StoreOpening.noting(console), name: name)
    }
    defer { try? replica.close() }
    try replicate(to: replica, interruption)
    try console.report([
      "a replica up to sequence number \(Figures.count(replica.database.end))"
    ])
    return .good
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

  private func make() throws {
    guard let backup else {
      throw Failure(
        "There is no store at \(store); name with --from a backup of the primary.",
        status: .unusable)
    }
    try StoreOpening.using(store) {
      try Replica.make(from: backup, at: store, of: "the writer of its stream")
    }
  }

  private func rejoin(_ console: Console) throws {
    guard let kept else {
      throw Failure(
        "\(store) is no replica; if another was promoted in its place, name with --keep where to "
          + "keep what only it has.", status: .unusable)
    }
    let transport = try stream.connect(toStoreAt: store)
    let result = try StoreOpening.using(store) {
      try Replica.rejoin(
        store, as: "the writer of its stream", transport: transport, keeping: kept)
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
    try make()
  }
}
