import SampleLog
import SampleLogNATS
import SampleLogReplication

/// `healthstore promote`: makes a replica the primary.
struct PromoteCommand: Command {
  static let usage = CommandUsage(
    name: "promote", summary: "Makes a replica the primary, and fences the old primary.",
    store: .using,
    options: StreamAccess.options + StreamChoice.making + [
      .init(name: "--now", help: "Does not wait for the primary's lease to expire."),
      .init(
        name: "--handover",
        help: "Replaces a running primary, which holds its commits meanwhile; none is lost."),
      .init(
        name: "--anyway", help: "Promotes it even if another replica has reported commits it lacks."
      ),
      .init(
        name: "--new-stream", help: "Creates the stream if the servers have lost it."),
    ],
    notes: [
      "Stop `healthstore replica` first. The replica reads the whole stream, waits until the "
        + "primary's lease has expired, and appends the record of a new epoch. Once the stream "
        + "has accepted the record, the old primary is fenced. Then `healthstore primary` "
        + "publishes the store. Commits that the old primary had not published are not in it.",
      "With --handover the primary goes on until the replica has caught up. It then lets savers "
        + "wait, publishes what it has, and is fenced once the replica is promoted, within a "
        + "second; savers that waited get an error, and nothing of theirs is saved. If the "
        + "promotion fails, the primary continues after two seconds.",
      "If another replica has reported commits that neither this replica nor the stream has, "
        + "nothing is promoted and the other replica is named. Promote that one, or lose these "
        + "commits with --anyway.",
      "If all servers have lost the stream, --new-stream creates another one and publishes "
        + "what this replica's logs have. Make sure to name the right servers: a primary that "
        + "has the stream elsewhere would not notice.",
      "Without the stream and without --new-stream, the command ends: it may have been given "
        + "the wrong servers.",
      "Exit status: 0 promoted, 1 another replica has more commits, the servers do not have the "
        + "stream, or it ends in the middle of a commit, 2 a file or directory that cannot be "
        + "used, 9 no server answers, 10 the replica needs a backup, 130 and 143 interrupted.",
    ])

  private let store: String
  private let asksPrimary: Bool
  private let isImmediate: Bool
  private let ignoresReports: Bool
  private let stream: StreamChoice

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    asksPrimary = arguments.has("--handover")
    isImmediate = asksPrimary || arguments.has("--now")
    ignoresReports = arguments.has("--anyway")
    stream = try StreamChoice(
      arguments, making: arguments.has("--new-stream"), requiresStream: true)
  }

  /// Connects to the stream of the store, which must exist unless the command creates it.
  private func connect() throws -> any StreamTransport {
    do {
      return try stream.connect(toStoreAt: store)
    } catch let error as NATSError {
      guard case .noStream = error else { throw error }
      let failure = Failure(error)
      throw Failure(
        failure.sentence + " The option --new-stream creates it.", status: failure.status)
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let interruption = Interruption()
    guard try StreamChoice.isReplica(store) else {
      throw Failure("\(store) is no replica.", status: .unusable)
    }
    let transport = try connect()
    let replica = try StoreOpening.using(store) {
      try Replica(path: store, transport: transport, options: StoreOpening.noting(console))
    }
    var isPromoted = false
    defer { if !isPromoted { try? replica.close() } }
    while try !isImmediate
      && !transport.lease(holder: StreamChoice.holder(store), seconds: Primary.leaseSeconds)
    {
      if interruption.isAsked {
        throw interruption.failure("nothing was promoted", advice: "run it again")
      }
      if try replica.step() == .idle { StreamChoice.rest(0.05) }
    }
    // Without a primary that renews its lease, there is nothing to wait for.
    let isServed =
      try asksPrimary
      && !transport.lease(holder: StreamChoice.holder(store), seconds: Primary.leaseSeconds)
    let promotion = Promotion(replica, ignoresReports: ignoresReports, asksPrimary: isServed)
    while !isPromoted {
      isPromoted = try promotion.step() == .promoted
      if !isPromoted, interruption.isAsked {
        throw interruption.failure(
          "the record of the promotion may have been sent", advice: "run it again")
      }
      if !isPromoted { StreamChoice.rest(0.005) }
    }
    let (epoch, end) = (replica.database.epoch, replica.database.end)
    try replica.close()
    try Database.promote(store)
    try console.report([
      "promoted: epoch \(epoch), up to sequence number \(Figures.count(end)); "
        + "`healthstore primary` publishes what is saved from now on"
    ])
    return .good
  }
}
