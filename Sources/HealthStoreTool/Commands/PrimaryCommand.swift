import AppleHealthExport
import HealthStore
import SampleLog
import SampleLogReplication

/// `healthstore primary`: holds a store open and publishes its commits.
struct PrimaryCommand: Command {
  static let usage = CommandUsage(
    name: "primary", summary: "Publishes a store to its replicas, and saves its input.",
    store: .using,
    arguments: [
      .init(
        name: "PATH", help: "Samples to save, in the formats of `ingest`; - for standard input.",
        isOptional: true)
    ],
    options: StreamAccess.options + StreamChoice.making + [
      .init(
        name: "--subject", value: "NAME",
        help: "The subject of samples without the field subject; the one with the empty "
          + "name if absent."),
      .init(
        name: "--copies", value: "N",
        help: "Waits until N replicas also have the samples of PATH on disk."),
      MetricsFile.option,
    ],
    notes: [
      "The store and its stream are created if they do not exist. With PATH, the command "
        + "ends once everything is saved and in the stream. Without PATH, it publishes what the "
        + "stream lacks and runs until it is interrupted. No other program can write to the "
        + "store meanwhile.",
      "The command holds a lease, for which `healthstore promote` waits. If a replica is "
        + "promoted nevertheless, nothing more is saved and the command fails; `healthstore "
        + "replica --keep` then makes a replica of the store. Docs/replication.md lists the "
        + "guarantees.",
      "The logs of a published store are kept, whichever program seals them, until they are "
        + "published. If neither the stream nor a log has some commits, the command publishes "
        + "them from segments. If the segments have forgotten a part of them, nothing after them "
        + "is published, and the command reports that: make a backup and replicas from it; "
        + "publishing resumes once one of them has reported.",
      "Exit status: 0 everything is published, 1 too few replicas have the samples, or the logs "
        + "do not continue the stream, 2 an invalid line, or a file or directory that cannot be "
        + "used, 5 a damaged store, 8 another copy was promoted, 9 no server answers at the "
        + "start, or the stream has not confirmed everything at the end, 143 interrupted while "
        + "waiting for replicas.",
    ])

  private let store: String
  private let path: String?
  private let subject: String
  private let copies: Int?
  private let stream: StreamChoice
  private let metrics: MetricsFile

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    path = arguments.positional.first
    subject = try Ingestion.subject(arguments)
    copies = try arguments.count("--copies")
    if copies != nil, path == nil { throw arguments.error("The option --copies needs PATH") }
    stream = try StreamChoice(arguments, making: true)
    metrics = try MetricsFile(arguments)
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let interruption = Interruption()
    let reader: RecordReader?
    do {
      reader = try path.map { try Ingestion.reader(interruption.input($0), nil) }
    } catch ExportError.cancelled {
      throw Self.failure(interruption, resume: 1)
    }
    let transport = try connect(console)
    let primary = try Primary(
      path: store, transport: transport, options: StoreOpening.noting(console))
    let renewer = LeaseRenewer(primary, StreamChoice.holder(store))
    // A refused lease is reported as an event and does not stop the primary.
    if (try? renewer.renew()) == false {
      console.note("Another copy has the lease, and one of the two will be stopped.")
    }
    do {
      try metrics.update { primary.metrics().prometheusText }
      if let reader {
        try save(reader, in: primary, renewer, interruption, console)
        try waitForCopies(of: primary, renewer, interruption)
      } else {
        while !interruption.isAsked, primary.failure == nil {
          // The lease is advisory; a renewal that failed is retried.
          _ = try? renewer.renew()
          try metrics.update { primary.metrics().prometheusText }
          StreamChoice.rest(0.2)
        }
      }
      if let failure = primary.failure { throw failure }
      try primary.close()
    } catch {
      // The first error is the cause, so an error of closing is ignored.
      try? primary.close()
      throw error
    }
    try console.report([
      "published up to sequence number \(Figures.count(primary.publishedThrough))"
    ])
    return .good
  }

  /// Connects to the stream of the store, which is created if it does not exist.
  ///
  /// If the stream cannot be reached, a newly created store is removed.
  private func connect(_ console: Console) throws -> any StreamTransport {
    let names = try StoreOpening.using(store) { try PosixFileSystem().list(store) } ?? []
    if names.contains(where: FileNames.isData) { return try stream.connect(toStoreAt: store) }
    return try StoreOpening.filling(store, console) { try stream.connect(to: $0.storeID) }
  }

  /// Waits until the requested number of replicas have all commits, for about a minute.
  private func waitForCopies(
    of primary: Primary, _ renewer: LeaseRenewer, _ interruption: Interruption
  ) throws {
    guard let copies else { return }
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      do {
        // A request may take seconds to fail, so the interruption is checked after each.
        return try primary.confirm(through: primary.database.end, .copies(copies), attempts: 1)
      } catch let error as ReplicationError {
        switch error {
        case .notCopied, .notReplicated: break
        default: throw error
        }
        if interruption.isAsked {
          throw interruption.failure(
            "everything is saved here, and not confirmed by \(copies) replicas",
            advice: "`healthstore primary` publishes it, and `healthstore cluster` shows the "
              + "replicas")
        }
        guard ContinuousClock.now < deadline else { throw error }
        _ = try? renewer.renew()
        StreamChoice.rest(0.016)
      }
    }
  }

  private static func failure(_ interruption: Interruption, resume line: Int) -> Failure {
    interruption.failure("everything before line \(line) is saved", advice: advice(line))
  }

  private static func advice(_ line: Int) -> String {
    "`healthstore ingest --from-line \(line)` saves the rest"
  }

  private func save(
    _ reader: RecordReader, in primary: Primary, _ renewer: LeaseRenewer,
    _ interruption: Interruption, _ console: Console
  ) throws {
    WorkoutRecount.addCommitHook(to: primary.database)
    var ingestion = Ingestion(reader, into: primary.database, subject: subject, from: 1)
    do {
      let isWhole = try ingestion.run {
        _ = try? renewer.renew()
        // Only the first update can throw, and it has already succeeded.
        try? metrics.update { primary.metrics().prometheusText }
        return interruption.isAsked
      }
      guard isWhole else { throw Self.failure(interruption, resume: ingestion.resume) }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw ingestion.failure(error, from: 1, advice: Self.advice)
    }
    try console.report([ingestion.summary.text])
  }
}

/// Renews a primary's lease periodically, and checks that the stream is still its own.
final class LeaseRenewer {
  private let primary: Primary
  private let holder: String
  private var next = ContinuousClock.now

  init(_ primary: Primary, _ holder: String) {
    self.primary = primary
    self.holder = holder
  }

  /// Renews the lease if that is due, and returns false if another copy holds it.
  ///
  /// The lease is advisory: a copy that is promoted in the meantime fences this primary through the
  /// stream.
  @discardableResult
  func renew() throws -> Bool {
    guard ContinuousClock.now >= next else { return true }
    next = ContinuousClock.now + .seconds(Primary.leaseSeconds / 4)
    primary.check()
    return try primary.renewLease(holder: holder)
  }
}
