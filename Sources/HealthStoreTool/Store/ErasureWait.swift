import SampleLog
import SampleLogReplication

/// The option `--wait` of `healthstore erase`, with which the command publishes the erasure and
/// waits until every copy has removed the data.
struct ErasureWait {
  static let option = CommandUsage.Option(
    name: "--wait", value: "SECONDS",
    help: "Publishes the erasure, and waits for all replicas and the stream to remove the data.")

  /// A store that was opened as the primary of its stream.
  struct Opened {
    let primary: Primary
    let transport: any StreamTransport
    let renewer: LeaseRenewer
  }

  private let duration: Duration
  private let stream: StreamChoice

  /// Returns nil if the option is absent.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.has("--wait") else {
      let access = StreamAccess.options.map(\.name).first(where: arguments.has)
      if let access { throw arguments.error("The option \(access) needs --wait") }
      return nil
    }
    if arguments.has("--dry-run") {
      throw arguments.error("The options --wait and --dry-run exclude each other")
    }
    duration = .seconds(try arguments.count("--wait") ?? 0)
    stream = try StreamChoice(arguments)
  }

  /// Opens a published store as the primary of its stream.
  func open(_ store: String, _ console: Console) throws -> Opened {
    try StoreOpening.requireStore(store)
    let transport = try stream.connect(toStoreAt: store)
    let primary = try StoreOpening.using(store) {
      try Primary(path: store, transport: transport, options: StoreOpening.noting(console))
    }
    return Opened(
      primary: primary, transport: transport,
      renewer: LeaseRenewer(primary, StreamChoice.holder(store)))
  }

  /// Waits until every copy has removed the data of the last erasure.
  ///
  /// - Returns: The copies that have not confirmed it in time; empty if all have.
  func copiesLeft(of opened: Opened, _ isInterrupted: () -> Bool) throws -> [String] {
    let primary = opened.primary
    let deadline = ContinuousClock.now + duration
    try primary.confirm(through: primary.database.end, .replicated)
    while true {
      // The lease is advisory; a renewal that failed is retried.
      _ = try? opened.renewer.renew()
      let left = try Self.copiesLeft(of: primary, opened.transport)
      if left.isEmpty || ContinuousClock.now >= deadline || isInterrupted() { return left }
      if let failure = primary.failure { throw failure }
      StreamChoice.rest(0.1)
    }
  }

  /// Returns the copies that have not confirmed the last erasure.
  static func copiesLeft(
    of primary: Primary, _ transport: any StreamTransport
  ) throws -> [String] {
    guard let progress = try primary.database.erasureProgress(transport) else { return [] }
    if progress.isConfirmed, primary.releasedThrough < progress.sequence { return ["the stream"] }
    return progress.copies
  }
}

extension ErasureProgress {
  /// The copies that may still have the data, for operators.
  var copies: [String] {
    (isInStream ? ["the stream"] : []) + (isInStore ? ["this directory"] : []) + replicas
  }
}
