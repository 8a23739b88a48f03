import HealthStore
import SampleLog

/// `healthstore stats`: prints statistics of a store.
struct StatsCommand: Command {
  static let usage = CommandUsage(
    name: "stats", summary: "Prints the numbers of rows, files and bytes of a store.",
    store: .using,
    options: [
      .init(
        name: "--format", value: "FORMAT",
        help: "table, json or jsonl (one object on one line) or prometheus (text for "
          + "scraping); default: table.", choices: Format.allCases.map(\.rawValue)),
      .init(name: "--json", help: "The same as --format json."),
    ],
    notes: [
      "Anchors below the floor have expired. Deleted rows are those of samples that "
        + "`healthstore compact` drops; the rows by type include them. The space that compaction "
        + "would return is estimated from the share of deleted rows in each block, and is "
        + "somewhat too high if only a part of a block is deleted. The estimate covers segments "
        + "only, and excludes the space that sealing logs and merging files saves."
    ])

  private let store: String
  private let format: Format

  private enum Format: String, CaseIterable { case table, json, jsonl, prometheus }

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    format = try arguments.choice("--format", default: arguments.has("--json") ? .json : .table)
    if arguments.has("--json"), format == .table || format == .prometheus {
      throw arguments.error(
        "The options --json and --format \(format.rawValue) exclude each other")
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.reading(store)
    let statistics = try database.statistics()
    switch format {
    case .table: try console.report(Self.lines(statistics))
    case .json, .jsonl: try console.report([Self.object(statistics).text])
    case .prometheus: try console.report(text: Self.prometheus(statistics, try database.metrics()))
    }
    return .good
  }

  /// Returns the metrics of a reader; those of the writing process are not available to it.
  private static func prometheus(_ statistics: StoreStatistics, _ metrics: StoreMetrics) -> String {
    var text = PrometheusText()
    text.gauge("healthstore_samples", "Live samples.", statistics.sampleCount)
    text.gauge("healthstore_deletions", "Deletions remembered.", statistics.deletionCount)
    text.gauge("healthstore_bytes", "Bytes of all files.", statistics.byteCount)
    text.gauge(
      "healthstore_reclaimable_bytes", "About what compaction would return.",
      statistics.reclaimableByteCount)
    metrics.write(to: &text)
    return text.text
  }

  private static func object(_ statistics: StoreStatistics) -> JSONObject {
    var object = JSONObject()
    object.add("samples", statistics.sampleCount)
    object.add("deletions", statistics.deletionCount)
    object.add("deletedRows", statistics.deletedRowCount)
    object.add("unsealedRows", statistics.unsealedRowCount)
    object.add("segments", statistics.segmentCount)
    object.add("logs", statistics.logCount)
    object.add("bytes", statistics.byteCount)
    object.add("logBytes", statistics.logByteCount)
    object.add("reclaimableBytes", statistics.reclaimableByteCount)
    if let bytes = statistics.bytesPerSample { object.add("bytesPerSample", bytes) }
    object.add("floor", statistics.floor)
    object.add("newestSequence", statistics.end)
    object.add(
      "types",
      statistics.series.map { series in
        var object = JSONObject()
        object.add("subject", series.subject)
        object.add("type", series.type)
        object.add("rows", series.rows)
        return object
      })
    object.add(
      "segmentFiles",
      statistics.segments.map { segment in
        var object = JSONObject()
        object.add("name", segment.name)
        object.add("bytes", segment.byteCount)
        object.add("rows", segment.rowCount)
        object.add("deletedRows", segment.deletedRowCount)
        object.add("forgettableDeletions", segment.forgettableRowCount)
        object.add("reclaimableBytes", segment.reclaimableByteCount)
        return object
      })
    return object
  }

  /// Returns a line about the space that compaction would reclaim.
  static func advice(_ statistics: StoreStatistics) -> [String] {
    let segments = statistics.byteCount - statistics.logByteCount
    let logs =
      statistics.unsealedRowCount == 0
      ? "" : ", and make segments of \(Figures.count(statistics.logByteCount)) bytes of logs"
    return [
      "compaction would return about \(Figures.count(statistics.reclaimableByteCount)) of "
        + "\(Figures.count(segments)) bytes in segments\(logs)"
    ]
  }

  private static func lines(_ statistics: StoreStatistics) -> [String] {
    var table = TextTable([("", .left), ("", .right)])
    let figures: [(String, String)] = [
      ("samples", Figures.count(statistics.sampleCount)),
      ("deletions remembered", Figures.count(statistics.deletionCount)),
      ("deleted rows", Figures.count(statistics.deletedRowCount)),
      ("rows not sealed", Figures.count(statistics.unsealedRowCount)),
      ("segments", Figures.count(statistics.segmentCount)),
      ("logs", Figures.count(statistics.logCount)),
      ("bytes", Figures.count(statistics.byteCount)),
      ("bytes of logs", Figures.count(statistics.logByteCount)),
      (
        "bytes per sample",
        statistics.bytesPerSample.map { Figures.decimal($0, 2) } ?? "-"
      ),
      ("floor", Figures.count(statistics.floor)),
      ("newest sequence number", Figures.count(statistics.end)),
    ]
    for (name, value) in figures { table.add([name, value]) }
    var lines = Array(table.lines().dropFirst()) + advice(statistics)
    guard !statistics.series.isEmpty else { return lines }
    let isNamed = statistics.series.contains { !$0.subject.isEmpty }
    var series = TextTable(
      (isNamed ? [("SUBJECT", .left)] : []) + [("TYPE", .left), ("ROWS", .right)])
    for row in statistics.series {
      series.add(
        (isNamed ? [row.subject] : [])
          + [HKSampleType.shortName(ofIdentifier: row.type), Figures.count(row.rows)])
    }
    lines.append("")
    return lines + series.lines()
  }
}
