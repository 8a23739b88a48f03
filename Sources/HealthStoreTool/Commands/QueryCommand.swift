import Foundation
import HealthStore
import SampleLog

/// `healthstore query`: prints samples of one type.
struct QueryCommand: Command {
  static let usage = CommandUsage(
    name: "query", summary: "Prints samples of one type in order of their start.",
    store: .using,
    options: [
      .init(
        name: "--type", value: "TYPE",
        help: "Such as heartRate or HKQuantityTypeIdentifierHeartRate.", isRequired: true),
      .init(
        name: "--subject", value: "NAME", help: "Whose samples; those without a name if absent."),
      .init(name: "--from", value: "TIME", help: "Samples that start then or later."),
      .init(name: "--to", value: "TIME", help: "Samples that start before then."),
      .init(name: "--limit", value: "N", help: "At most so many; all if absent."),
      .init(name: "--latest", help: "The latest first."),
      .init(name: "--format", value: "FORMAT", help: "table (the standard), csv or json."),
    ],
    notes: [
      "Times are ISO 8601, such as 2024-03-01 or 2024-03-01T08:30:00+01:00, and UTC without an "
        + "offset. Printed times are UTC. json prints one object a line."
    ])

  private let store: String
  private let type: String
  private let subject: String
  private let filter: RowFilter
  private let limit: Int?
  private let isLatestFirst: Bool
  private let format: RowFormat

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    type = try TypeArgument.identifier(arguments.required("--type"))
    subject = arguments["--subject"] ?? ""
    limit = try arguments.count("--limit")
    isLatestFirst = arguments.has("--latest")
    format = try arguments.choice("--format", default: .table)
    var filter = RowFilter()
    let from = try arguments.time("--from")
    let to = try arguments.time("--to")
    if let from, let to, from > to {
      throw arguments.error("The time --to lies before --from")
    }
    if let from { filter.start = .from(from.timeIntervalSinceReferenceDate) }
    if let to {
      filter.start = filter.start.intersection(.below(to.timeIntervalSinceReferenceDate))
    }
    self.filter = filter
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.reading(store)
    try TypeArgument.check([type], in: database)
    let snapshot = database.snapshot()
    let words = RowWords(RowReader(database))
    let key = SeriesKey(
      subject: database.symbols.intern(subject), type: database.symbols.intern(type))
    explainAbsence(of: key, in: snapshot, console)
    if let title = format.title { try console.out.line(title) }
    if isLatestFirst {
      let rows = try snapshot.select(
        [key], where: filter, order: .start(ascending: false), limit: limit)
      for row in rows { try console.out.line(format.line(row, words)) }
      return .good
    }
    var pages = PagedRows(snapshot, key, filter)
    var left = limit ?? .max
    while left > 0 {
      let rows = try pages.next(atMost: left)
      if rows.isEmpty { break }
      for row in rows { try console.out.line(format.line(row, words)) }
      left -= rows.count
    }
    return .good
  }

  /// Names who has samples of the type when the subject asked for has none.
  private func explainAbsence(of key: SeriesKey, in snapshot: Snapshot, _ console: Console) {
    let all = snapshot.series.filter { $0.type == key.type }
    guard !all.contains(key) else { return }
    let others = all.map { snapshot.symbols.text($0.subject) }.sorted()
    let name = HKSampleType.shortName(ofIdentifier: type)
    guard !others.isEmpty else {
      console.note("The store has no samples of \(name).")
      return
    }
    let list = others.prefix(5).map { $0.isEmpty ? "(no name)" : $0 }.joined(separator: ", ")
    console.note("There are no samples of \(name) for this --subject, but for: \(list).")
  }
}
