import SampleLog

/// `healthstore compact`: merges the files of a store and drops deleted samples.
struct CompactCommand: Command {
  static let usage = CommandUsage(
    name: "compact", summary: "Merges files, drops deleted samples and forgets old deletions.",
    store: .destroying,
    options: [
      .init(
        name: "--retention", value: "AGE",
        help: "The time for which deletions are remembered, such as 12h, 7d or 8w; default: 30d."),
      .init(name: "--dry-run", help: "Prints an estimate, and changes nothing."),
    ],
    notes: [
      "Query results do not change. Anchors from before forgotten deletions expire. "
        + "Deletions that a durable subscription needs are kept, whatever the retention. With "
        + "--dry-run, other programs may write to the store. If the command is interrupted, the "
        + "files compacted so far remain compacted.",
      "DIR may be a replica that no process has open. Its deletions are then remembered as long "
        + "as those of its primary. Sealed logs of a replica that may have data of an erased "
        + "subject are removed.",
    ])

  private let store: String
  private let retention: Double?
  private let isDry: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    retention = try arguments["--retention"].map { text in
      guard let age = AgeArgument.seconds(text) else {
        throw arguments.error(
          "The option --retention needs an age of up to 1000 years such as 12h, 7d or 8w, "
            + "not \(text)")
      }
      return age
    }
    isDry = arguments.has("--dry-run")
  }

  func run(_ console: Console) async throws -> ExitStatus {
    try run(console, Interruption())
  }

  func run(_ console: Console, _ interruption: Interruption) throws -> ExitStatus {
    var options = StoreOpening.noting(console)
    if let retention { options.deletionRetention = .seconds(retention) }
    try StoreOpening.requireStore(store)
    let isReplica = try StreamChoice.isReplica(store)
    if isReplica, !isDry { (options.primaryName, options.keepsSealedLogs) = ("its primary", true) }
    if isDry {
      let statistics = try StoreOpening.reading(store, options).statistics()
      let forgettable = statistics.segments.reduce(0) { $0 + $1.forgettableRowCount }
      try console.report(
        [
          "\(Figures.count(statistics.deletedRowCount, "deleted sample")) would be dropped, "
            + "\(Figures.count(forgettable, "deletion")) in segments forgotten"
        ] + StatsCommand.advice(statistics))
      return .good
    }
    let database = try StoreOpening.changing(store, options)
    defer { StoreOpening.noteUnpublished(database, console) }
    let before = try database.statistics()
    var progress = ProgressLine(console.error)
    let result: CompactionResult
    do {
      result = try Self.compact(database, &progress) { interruption.isAsked }
      if isReplica { try database.releaseErasedLogs() }
    } catch StoreError.cancelled {
      try database.close()
      throw interruption.failure("the files that were compacted stay so")
    }
    let after = try database.statistics()
    try database.close()
    var table = TextTable([("", .left), ("BEFORE", .right), ("AFTER", .right)])
    func add(_ name: String, _ value: (StoreStatistics) -> String) {
      table.add([name, value(before), value(after)])
    }
    add("samples") { Figures.count($0.sampleCount) }
    add("deleted rows") { Figures.count($0.deletedRowCount) }
    add("deletions remembered") { Figures.count($0.deletionCount) }
    add("segments") { Figures.count($0.segmentCount) }
    add("bytes") { Figures.count($0.byteCount) }
    add("bytes per sample") { $0.bytesPerSample.map { Figures.decimal($0, 2) } ?? "-" }
    try console.report(
      table.lines() + [
        "\(Figures.count(result.samplesDropped, "deleted sample")) dropped, "
          + "\(Figures.count(result.deletionsForgotten, "deletion")) forgotten, "
          + "\(Figures.time(progress.elapsed))"
      ])
    return .good
  }

  /// Compacts a store and shows the progress.
  static func compact(
    _ database: Database, _ progress: inout ProgressLine, isCancelled: () -> Bool
  ) throws -> CompactionResult {
    defer { progress.clear() }
    return try database.compact { done in
      let fraction = done.rowsTotal == 0 ? 1 : Double(done.rowsDone) / Double(done.rowsTotal)
      progress.show(fraction: fraction, count: done.rowsDone)
    } isCancelled: {
      isCancelled()
    }
  }
}
