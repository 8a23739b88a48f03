import HealthStore
import SampleLog

/// `healthstore stats`: prints figures about a store.
struct StatsCommand: Command {
  static let usage = CommandUsage(
    name: "stats", summary: "Prints how much of what a store holds.",
    arguments: [.init(name: "DIR", help: "The store's directory.")],
    options: [.init(name: "--json", help: "One JSON object instead of text.")],
    notes: [
      "Anchors below the floor have expired. Dead rows are those of deleted samples that "
        + "`healthstore compact` drops; the rows by type count them."
    ])

  private let store: String
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) {
    store = arguments.positional[0]
    isJSON = arguments.has("--json")
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let statistics = try StoreOpening.reading(store).statistics()
    if isJSON {
      try console.out.line(Self.object(statistics).text)
    } else {
      for line in Self.lines(statistics) { try console.out.line(line) }
    }
    return .good
  }

  private static func object(_ statistics: StoreStatistics) -> JSONObject {
    var object = JSONObject()
    object.add("samples", statistics.sampleCount)
    object.add("deletions", statistics.deletionCount)
    object.add("deadRows", statistics.deadRowCount)
    object.add("unsealedRows", statistics.unsealedRowCount)
    object.add("segments", statistics.segmentCount)
    object.add("logs", statistics.logCount)
    object.add("bytes", statistics.byteCount)
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
    return object
  }

  private static func lines(_ statistics: StoreStatistics) -> [String] {
    var table = TextTable([("", .left), ("", .right)])
    let figures: [(String, String)] = [
      ("samples", Figures.count(statistics.sampleCount)),
      ("deletions remembered", Figures.count(statistics.deletionCount)),
      ("dead rows", Figures.count(statistics.deadRowCount)),
      ("rows not sealed", Figures.count(statistics.unsealedRowCount)),
      ("segments", Figures.count(statistics.segmentCount)),
      ("logs", Figures.count(statistics.logCount)),
      ("bytes", Figures.count(statistics.byteCount)),
      (
        "bytes per sample",
        statistics.bytesPerSample.map { Figures.decimal($0, 2) } ?? "-"
      ),
      ("floor", Figures.count(statistics.floor)),
      ("newest sequence number", Figures.count(statistics.end)),
    ]
    for (name, value) in figures { table.add([name, value]) }
    var lines = Array(table.lines().dropFirst())
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
