import Foundation
import HealthStore
import SampleLog

/// `healthstore aggregate`: prints sums and averages of hours, days and weeks.
struct AggregateCommand: Command {
  static let usage = CommandUsage(
    name: "aggregate", summary: "Prints sums or averages of quantities by hour, day or week.",
    store: .using,
    options: [
      .type("A type of quantities, such as stepCount; may be repeated.", isRequired: true),
      .init(
        name: "--every", value: "INTERVAL",
        help: "The length of the intervals, such as 1h, 1d or 1w; default: 1d."),
      .timeZone,
      .init(
        name: "--by", value: "source", help: "Prints a record for each source in each interval.",
        choices: Grouping.allCases.map(\.rawValue)),
      .subject("The subject; the one with the empty name if absent. May be repeated."),
      .init(name: "--from", value: "TIME", help: "Samples that end at or after TIME."),
      .init(name: "--to", value: "TIME", help: "Samples that start before TIME."),
      OutputFormat.option(), .spreadsheet,
      .init(name: "--plot", help: "Draws the sums or averages within 80 columns."),
    ],
    notes: [
      "The values are those of HKStatisticsCollectionQuery: the sum of cumulative types, and "
        + "average, minimum and maximum of other types. Overlapping sources are not counted "
        + "twice. In a sum of time, each moment counts once for all samples and sources. A "
        + "sample that crosses intervals is in each of them, with its part of a sum. Intervals "
        + "are counted from a Monday at midnight in the time zone; intervals without samples are "
        + "left out. Times without an offset are in the time zone. CSV has all fields; JSON "
        + "leaves out fields without a value. --plot draws a bar for a sum and, for an average, "
        + "a line from the minimum to the maximum, with block characters on a UTF-8 terminal and "
        + "plain characters elsewhere."
    ])

  private enum Grouping: String, CaseIterable { case source }

  private let store: String
  private let types: [HKQuantityType]
  private let subjects: [String]
  private let interval: DateComponents
  private let zone: ZoneCalendar
  private let isBySource: Bool
  private let from: Date?
  private let to: Date?
  private let format: OutputFormat
  private let forSpreadsheet: Bool
  private let isPlot: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    types = try arguments.all("--type").map { text in
      let identifier = try TypeArgument.identifier(text)
      guard let type = HKSampleType.named(identifier) as? HKQuantityType else {
        throw arguments.error("Only types of quantities can be aggregated, not \(text)")
      }
      return type
    }
    let subjects = arguments.all("--subject")
    self.subjects = subjects.isEmpty ? [""] : subjects
    let every = arguments["--every"] ?? "1d"
    guard let interval = IntervalArgument.components(every) else {
      throw arguments.error(
        "The option --every needs an interval such as 1h, 1d or 1w, not \(every)")
    }
    self.interval = interval
    zone = try arguments.zone()
    isBySource =
      try arguments["--by"].map { _ in
        try arguments.choice("--by", default: Grouping.source)
      } != nil
    from = try arguments.time("--from", in: zone)
    to = try arguments.time("--to", in: zone)
    if let from, let to, from > to {
      throw arguments.error("The time --to lies before --from")
    }
    format = try arguments.choice("--format", default: .table)
    forSpreadsheet = try arguments.wantsSpreadsheet(isCSV: format == .csv)
    isPlot = arguments.has("--plot")
    if isPlot, arguments.has("--format") {
      throw arguments.error("The options --plot and --format exclude each other")
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.reading(store)
    if isPlot { return try await plot(database, console) }
    var list = RecordList(columns)
    for subject in subjects {
      let health = HKHealthStore(database: database, subject: subject)
      health.calendar = zone.calendar
      for type in types {
        for statistics in try await self.statistics(type, health) {
          add(statistics, subject, to: &list)
        }
      }
    }
    try console.report(text: list.text(format, forSpreadsheet: forSpreadsheet))
    return .good
  }

  /// Returns the statistics of the intervals to show, or throws if one of them is unbounded.
  private func statistics(
    _ type: HKQuantityType, _ health: HKHealthStore
  ) async throws -> [HKStatistics] {
    let found = try await collection(type, health).statistics().filter(shows)
    let isBeforeAll = from == nil && found.first?.startDate == .distantPast
    let years = HKQuery.predicateForSamples(withStart: nil, end: .distantPast)
    if let last = found.last, last.endDate <= last.startDate {
      throw Failure(
        "Samples of \(type.shortName) end after the year 9999, which has no intervals; "
          + "name those to show with --from and --to.", status: .failed)
    }
    if isBeforeAll,
      try await !HKSampleQueryDescriptor(
        predicates: [.quantitySample(type: type, predicate: years)], sortDescriptors: [], limit: 1
      ).result(for: health).isEmpty
    {
      throw Failure(
        "Samples of \(type.shortName) start before the year 1, which has no intervals; "
          + "--from leaves out those that end before then.", status: .failed)
    }
    return found
  }

  private func collection(
    _ type: HKQuantityType, _ health: HKHealthStore
  ) async throws -> HKStatisticsCollection {
    var options = type.figures
    if isBySource { options.insert(.separateBySource) }
    let dates = HKQuery.predicateForSamples(withStart: from, end: to)
    return try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: type, predicate: from == nil && to == nil ? nil : dates),
      options: options, anchorDate: zone.monday, intervalComponents: interval
    ).result(for: health)
  }

  /// Returns whether an interval overlaps the requested period.
  ///
  /// A sample that crosses a limit also contributes to intervals beyond it.
  private func shows(_ statistics: HKStatistics) -> Bool {
    if let from, statistics.endDate <= from { return false }
    if let to, statistics.startDate >= to { return false }
    return true
  }

  private var columns: [(name: String, alignment: TextTable.Alignment)] {
    let isTable = format == .table
    let hasSums = types.contains { $0.aggregationStyle == .cumulative }
    let hasAverages = types.contains { $0.aggregationStyle != .cumulative }
    var columns: [(name: String, alignment: TextTable.Alignment)] = []
    if subjects.count > 1 || !isTable { columns.append(("subject", .left)) }
    if types.count > 1 || !isTable { columns.append(("type", .left)) }
    columns += [("start", .left), ("end", .left)]
    if isBySource { columns += [("source", .left), ("bundleIdentifier", .left)] }
    if hasSums || !isTable { columns.append(("sum", .right)) }
    if hasAverages || !isTable {
      columns += [("average", .right), ("minimum", .right), ("maximum", .right)]
    }
    return columns + [("unit", .left)]
  }

  private func add(_ statistics: HKStatistics, _ subject: String, to list: inout RecordList) {
    for (source, quantities) in parts(of: statistics) {
      list.add(fields(statistics, subject, source, quantities))
    }
  }

  /// Returns the sum, average, minimum and maximum, by source if requested.
  private func parts(
    of statistics: HKStatistics
  ) -> [(source: HKSource?, quantities: [HKQuantity?])] {
    guard isBySource else {
      return [
        (
          nil,
          [
            statistics.sumQuantity(), statistics.averageQuantity(),
            statistics.minimumQuantity(), statistics.maximumQuantity(),
          ]
        )
      ]
    }
    return (statistics.sources ?? []).map { source in
      (
        source,
        [
          statistics.sumQuantity(for: source),
          statistics.averageQuantity(for: source), statistics.minimumQuantity(for: source),
          statistics.maximumQuantity(for: source),
        ]
      )
    }
  }

  // MARK: Plots

  /// Prints a plot for each subject, type and source.
  private func plot(_ database: Database, _ console: Console) async throws -> ExitStatus {
    let style = TerminalPlot.Style(console.out)
    var lines: [String] = []
    for subject in subjects {
      let health = HKHealthStore(database: database, subject: subject)
      health.calendar = zone.calendar
      for type in types {
        var plots: [(source: HKSource?, title: String, rows: [TerminalPlot.Row])] = []
        for statistics in try await self.statistics(type, health) {
          for (source, quantities) in parts(of: statistics) {
            guard let middle = quantities[0] ?? quantities[1] else { continue }
            let title = [subject, type.shortName, source?.name ?? "", middle.unit.unitString]
              .filter { !$0.isEmpty }.joined(separator: ", ").printable
            let row = row(statistics, middle.value, quantities[2]?.value, quantities[3]?.value)
            if let index = plots.firstIndex(where: { $0.source == source && $0.title == title }) {
              plots[index].rows.append(row)
            } else {
              plots.append((source, title, [row]))
            }
          }
        }
        for (source, title, rows) in plots {
          // Sources with equal names are distinguished by their bundle identifiers.
          let isNamesake = plots.contains { $0.title == title && $0.source != source }
          let identifier = isNamesake ? "\(source?.bundleIdentifier.printable ?? ""), " : ""
          lines +=
            (lines.isEmpty ? [] : [""]) + [String((identifier + title).prefix(TerminalPlot.width))]
            + TerminalPlot.lines(rows, style)
        }
      }
    }
    try console.report(lines)
    return .good
  }

  private func row(
    _ statistics: HKStatistics, _ middle: Double, _ low: Double?, _ high: Double?
  ) -> TerminalPlot.Row {
    let start = zone.text(statistics.startDate)
    // Days and weeks need no time of day.
    let name =
      interval.hour == nil
      ? "\(start.prefix(10))" : "\(start.prefix(10)) \(start.dropFirst(11).prefix(5))"
    guard let low, let high, low <= high else {
      return TerminalPlot.Row(name: name, middle: middle)
    }
    return TerminalPlot.Row(name: name, middle: middle, range: low...high)
  }

  /// Returns the fields of a record; the quantities are sum, average, minimum and maximum.
  private func fields(
    _ statistics: HKStatistics, _ subject: String, _ source: HKSource?,
    _ quantities: [HKQuantity?]
  ) -> [RecordList.Field] {
    let numbers = quantities.map { RecordList.Field.number($0?.value) }
    let unit = quantities.lazy.compactMap { $0?.unit.unitString }.first ?? ""
    return columns.map { column in
      switch column.name {
      case "subject": .text(subject)
      case "type": .text(statistics.quantityType.shortName)
      case "start": .text(zone.text(statistics.startDate))
      case "end": .text(zone.text(statistics.endDate))
      case "source": .text(source?.name ?? "")
      case "bundleIdentifier": .text(source?.bundleIdentifier ?? "")
      case "sum": numbers[0]
      case "average": numbers[1]
      case "minimum": numbers[2]
      case "maximum": numbers[3]
      default: .text(unit)
      }
    }
  }
}
