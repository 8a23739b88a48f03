import Foundation
import HealthStore
import SampleLog

/// `healthstore report`: writes a page about a subject's samples.
struct ReportCommand: Command {
  static let usage = CommandUsage(
    name: "report", summary: "Writes a page of charts and tables about one subject.",
    store: .using,
    arguments: [
      .init(name: "FILE", help: "The page, in HTML; one that exists is replaced. - prints it.")
    ],
    options: [
      .init(
        name: "--subject", value: "NAME", help: "Whose samples; those without a name if absent."),
      .init(
        name: "--from", value: "TIME",
        help: "The first day; without it \(ReportDays.standard) days."),
      .init(
        name: "--to", value: "TIME",
        help: "The day behind the last; without it that of the newest sample."),
      .timeZone,
    ],
    notes: [
      "One file without scripts, which needs no other: days and weeks of the main types, sleep, "
        + "workouts, sources, and days without samples, each as a drawing beside a table. The "
        + "figures of types are those of `healthstore aggregate`; a night is that of the day on "
        + "which it ends. A page has \(ReportDays.limit) days at most. The same samples and "
        + "options give the same bytes."
    ])

  private let store: String
  private let file: String
  private let subject: String
  private let zone: ZoneCalendar
  private let from: Date?
  private let to: Date?

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    file = arguments.positional[0]
    subject = arguments["--subject"] ?? ""
    zone = try arguments.zone()
    from = try arguments.time("--from", in: zone)
    to = try arguments.time("--to", in: zone)
    if let from, let to, from >= to { throw arguments.error("The time --to lies before --from") }
    if let from, let to, ReportDays(from: from, to: to, in: zone) == nil {
      throw arguments.error("A report has \(ReportDays.limit) days at most")
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    if file != "-" { try Paths.requireOutside(file, of: store) }
    let database = try StoreOpening.reading(store)
    let data = try await ReportData(database, subject: subject, days(of: database, console))
    let page = ReportPage(data, subject: subject).html
    guard file != "-" else {
      try console.report(text: page)
      return .good
    }
    do {
      // In one step, so that nobody finds half a page.
      try Data(page.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      throw Failure(
        "\(file) cannot be written: \(error.localizedDescription)", status: .unwritable)
    }
    try console.report([
      "\(file): \(data.days.count) days, \(Figures.count(data.quantities.count, "type"))"
    ])
    return .good
  }

  /// The days to show: those asked for, else the last with samples.
  private func days(of database: Database, _ console: Console) throws -> ReportDays {
    let snapshot = database.snapshot()
    let symbols = snapshot.symbols
    let wanted = symbols.intern(subject)
    var newest: Double?
    for key in snapshot.series(of: wanted) where !symbols.isOwnedType(key.type) {
      guard let row = try snapshot.newest(key) else { continue }
      newest = max(newest ?? -.infinity, row.block.start[row.row])
    }
    if newest == nil {
      console.note("There are no samples of this --subject.")
    }
    let last = newest.map {
      ReportDays.next(day(of: Date(timeIntervalSinceReferenceDate: $0)), by: 1, zone.calendar)
    }
    let nothing = from ?? zone.monday
    let end = to ?? last.map { max($0, nothing) } ?? nothing
    let start =
      from
      ?? (newest == nil && to == nil
        ? end : ReportDays.next(day(of: end), by: -ReportDays.standard, zone.calendar))
    guard let days = ReportDays(from: start, to: end, in: zone) else {
      throw UsageError(
        "A report has \(ReportDays.limit) days at most; name --to, or a later --from.")
    }
    return days
  }

  private func day(of date: Date) -> Date { zone.calendar.startOfDay(for: date) }
}
