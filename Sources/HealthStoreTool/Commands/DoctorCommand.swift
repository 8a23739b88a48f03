import HealthStore
import SampleLog

/// `healthstore doctor`: examines a store and recommends actions.
struct DoctorCommand: Command {
  static let usage = CommandUsage(
    name: "doctor", summary: "Prints one page about the health of a store, with advice.",
    store: .using,
    options: StreamAccess.options + ReportFormat.options,
    notes: [
      "Reads every file, as `healthstore verify` does, and writes nothing; another program "
        + "may write to the store. If --server or NATS_URL names a server, the page includes "
        + "what `healthstore cluster` shows. Exit status: 0 examined, whatever the advice, 5 "
        + "damaged."
    ])

  private let store: String
  private let isJSON: Bool
  /// The stream to include; nil if no server is named.
  private let stream: StreamChoice?

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    isJSON = try arguments.wantsJSON()
    stream = StreamAccess.isNamed(arguments) ? try StreamChoice(arguments) : nil
  }

  func run(_ console: Console) async throws -> ExitStatus {
    try run(console, Interruption())
  }

  func run(_ console: Console, _ interruption: Interruption) throws -> ExitStatus {
    let verification = try VerifyCommand.verification(of: store, interruption)
    let health = try StoreHealth(path: store, verification: verification)
    try console.report(isJSON ? [object(health).text] : lines(health))
    if verification.isGood { return .good }
    console.note("The store at \(store) is damaged.")
    return .damaged
  }

  /// Reads the state of the stream, or the reason for which that is impossible.
  private func cluster(_ health: StoreHealth) -> Result<ClusterStatus, Failure>? {
    guard let stream else { return nil }
    do {
      return .success(try stream.status(of: health.database))
    } catch {
      return .failure(Failure(error))
    }
  }

  private func lines(_ health: StoreHealth) -> [String] {
    let statistics = health.statistics
    let verification = health.verification
    var table = TextTable([("", .left), ("", .left)])
    var figures: [(String, String)] = [
      ("program", "healthstore \(Tool.version), writes format \(SegmentHeader.version)"),
      ("store", "\(health.database.storeID), epoch \(health.database.epoch)"),
      (
        "health",
        (verification.isGood
          ? "good" : "damaged in \(Figures.count(verification.damages.count, "place"))")
          + ": \(Figures.count(verification.fileCount, "file")) and "
          + "\(Figures.bytes(verification.byteCount)) read"
      ),
      (
        "samples",
        Figures.count(statistics.sampleCount) + " of "
          + Figures.count(subjectCount(health), "subject")
      ),
      (
        "space",
        "\(Figures.bytes(statistics.byteCount)) in "
          + Figures.count(statistics.segmentCount, "segment")
          + " and \(Figures.count(statistics.logCount, "log"))"
          + (health.freeByteCount.map { ", \(Figures.bytes($0)) free on the disk" } ?? "")
      ),
      (
        "changes",
        "up to \(Figures.count(statistics.end)), "
          + "anchors from \(Figures.count(statistics.floor)) on, "
          + Figures.count(statistics.deletionCount, "deletion") + " remembered"
      ),
      ("compaction", "would return about \(Figures.bytes(statistics.reclaimableByteCount))"),
      ("subscriptions", summary(health.subscriptions)),
      ("deliveries", summary(health.deliveries)),
    ]
    if let publication = health.publication {
      figures.append(
        (
          "published",
          "at least up to \(Figures.count(publication.confirmed)), "
            + "\(Figures.count(publication.keptLogCount, "log")) of "
            + "\(Figures.bytes(publication.keptLogByteCount)) kept"
            + (publication.gapEnd.map { ", a gap up to \(Figures.count($0))" } ?? "")
        ))
    }
    for (name, text) in figures { table.add([name, text]) }
    let advice = health.advice(store)
    let cluster: [String] =
      switch cluster(health) {
      case nil: []
      case .success(let status): [""] + status.lines
      case .failure(let failure): ["", failure.sentence.printable]
      }
    var page = Array(table.lines().dropFirst())
    page += cluster
    page.append("")
    return page
      + (advice.isEmpty ? ["Nothing needs to be done."] : advice.map { "- \($0.printable)" })
  }

  private func subjectCount(_ health: StoreHealth) -> Int {
    Set(health.statistics.series.map(\.subject)).count
  }

  private func summary(_ deliveries: [StoreHealth.Delivery]) -> String {
    let stalled = deliveries.count { $0.isStalled }
    let behind = deliveries.count { $0.behind > 0 }
    return "\(Figures.count(deliveries.count)), \(Figures.count(behind)) behind, "
      + "\(Figures.count(stalled)) stalled"
  }

  private func object(_ health: StoreHealth) -> JSONObject {
    let statistics = health.statistics
    var object = JSONObject()
    object.add("version", Tool.version)
    object.add("format", SegmentHeader.version)
    object.add("store", "\(health.database.storeID)")
    object.add("epoch", health.database.epoch)
    object.add(
      "damages",
      health.verification.damages.map { damage in
        var object = JSONObject()
        object.add("file", damage.file)
        object.add("byte", damage.offset)
        object.add("reason", damage.reason)
        return object
      })
    object.add("samples", statistics.sampleCount)
    object.add("subjects", subjectCount(health))
    object.add("bytes", statistics.byteCount)
    if let bytes = health.freeByteCount { object.add("freeBytes", bytes) }
    object.add("floor", statistics.floor)
    object.add("newestSequence", statistics.end)
    object.add("deletions", statistics.deletionCount)
    object.add("reclaimableBytes", statistics.reclaimableByteCount)
    if let publication = health.publication {
      object.add("publishedSequence", publication.confirmed)
      object.add("unpublishedRecords", publication.unpublishedRecordCount)
      object.add("keptLogs", publication.keptLogCount)
      object.add("keptLogBytes", publication.keptLogByteCount)
      if let end = publication.gapEnd { object.add("gapEnd", end) }
    }
    switch cluster(health) {
    case nil: break
    case .success(let status): object.add("cluster", status.object)
    case .failure(let failure): object.add("clusterFailure", failure.sentence)
    }
    object.add("subscriptions", health.subscriptions.map { delivery($0, ["name"]) })
    object.add("deliveries", health.deliveries.map { delivery($0, ["subject", "type"]) })
    object.add("advice", health.advice(store))
    return object
  }

  private func delivery(_ delivery: StoreHealth.Delivery, _ names: [String]) -> JSONObject {
    var object = JSONObject()
    for (name, text) in zip(names, delivery.name) {
      object.add(name, name == "type" ? HKSampleType.shortName(ofIdentifier: text) : text)
    }
    object.add("behind", delivery.behind)
    guard names.count > 1 else { return object }
    object.add("failures", delivery.failureCount)
    object.add("stopped", raw: delivery.isStopped ? "true" : "false")
    return object
  }
}
