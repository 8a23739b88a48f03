import SampleLog

/// `healthstore compact`: makes a store as small as it can be.
struct CompactCommand: Command {
  static let usage = CommandUsage(
    name: "compact", summary: "Merges files, drops deleted samples and forgets old deletions.",
    store: .destroying,
    notes: [
      "No answer changes. Anchors from before forgotten deletions (30 days old and more) expire."
    ])

  private let store: String

  init(_ arguments: ParsedArguments) throws { store = try arguments.store() }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.changing(store)
    let before = try database.statistics()
    var progress = ProgressLine(console.error)
    let interruption = Interruption()
    let result: CompactionResult
    do {
      result = try Self.compact(database, &progress) { interruption.wait(seconds: 0) }
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
    add("dead rows") { Figures.count($0.deadRowCount) }
    add("deletions remembered") { Figures.count($0.deletionCount) }
    add("segments") { Figures.count($0.segmentCount) }
    add("bytes") { Figures.count($0.byteCount) }
    add("bytes per sample") { $0.bytesPerSample.map { Figures.decimal($0, 2) } ?? "-" }
    try console.report(
      table.lines() + [
        "\(Figures.count(result.samplesDropped)) deleted samples dropped, "
          + "\(Figures.count(result.deletionsForgotten)) deletions forgotten, "
          + "\(Figures.time(progress.elapsed))"
      ])
    return .good
  }

  /// Compacts a store, and shows how far that is.
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
