import SampleLog
import SampleLogNATS
import SampleLogReplication

/// `healthstore promote`: makes a replica the primary.
struct PromoteCommand: Command {
  static let usage = CommandUsage(
    name: "promote", summary: "Makes a replica the store to save in, and stops its primary.",
    store: .using,
    options: StreamChoice.options + [
      .init(name: "--now", help: "Does not wait for the end of the primary's lease.")
    ],
    notes: [
      "End `healthstore replica` first. The replica reads what the stream has, waits until the "
        + "primary has not extended its lease, and appends the record of a new epoch; when the "
        + "stream has accepted it the old primary saves no more. Then `healthstore primary` "
        + "publishes the store. What the old primary had not published is not in it.",
      "Exit status: 0 promoted, 1 the replica needs a backup or the stream cannot be reached, "
        + "2 something cannot be used, 130 and 143 interrupted.",
    ])

  private let store: String
  private let isImmediate: Bool
  private let stream: StreamChoice

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    isImmediate = arguments.has("--now")
    stream = try StreamChoice(arguments)
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let interruption = Interruption()
    guard try StreamChoice.isReplica(store) else {
      throw Failure("\(store) is no replica.", status: .unusable)
    }
    let transport = try stream.connect(toStoreAt: store)
    let replica = try StoreOpening.using(store) { try Replica(path: store, transport: transport) }
    var isPromoted = false
    defer { if !isPromoted { try? replica.close() } }
    while try !isImmediate
      && !transport.lease(holder: StreamChoice.holder(store), seconds: StreamChoice.leaseSeconds)
    {
      if interruption.isAsked {
        throw interruption.failure("nothing was promoted", advice: "run it again")
      }
      if try replica.step() == .idle { StreamChoice.rest(0.05) }
    }
    let promotion = Promotion(replica)
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
