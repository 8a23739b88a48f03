import Foundation
import HealthStore
import SampleLog

/// `healthstore report`: writes a page about a subject's samples.
struct ReportCommand: Command {
  static let usage = CommandUsage(
    name: "report", summary: "Writes an HTML page of charts and tables about one subject.",
    store: .using,
    arguments: [
      .init(
        name: "FILE",
        help: "The HTML page, which replaces a file atomically; - for standard output.")
    ],
    options: [
      .init(
        name: "--subject", value: "NAME",
        help: "The subject; the one with the empty name if absent."),
      .init(
        name: "--from", value: "TIME",
        help: "The first day; by default, the page has \(ReportDays.standard) days."),
      .init(
        name: "--to", value: "TIME",
        help: "The day after the last one; by default, the last one is the day on which "
          + "the last sample ends, of those that do not begin after today."),
      .timeZone,
    ],
    notes: [
      "The page is one file that has no scripts and needs no other file. It shows days and "
        + "weeks of the main types, sleep, workouts, sources, and days without samples, each as "
        + "a drawing and a table. The values of types are those of `healthstore aggregate`. "
        + "Sleep belongs to the day on which it ends, and overlapping time counts once. A page "
        + "has at most \(ReportDays.limit) days. The same samples and options give the same "
        + "bytes."
    ])

  private let store: String
  private let file: String
  private let subject: String
  private let zone: ZoneCalendar
  private let from: Date?
  private let to: Date?
  /// The current time; samples after its day are in the future.
  private let now = Date()

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
    try Paths.write(page, to: file)
    try console.report([
      "\(file): \(data.days.count) days, \(Figures.count(data.quantities.count, "type"))"
    ])
    return .good
  }

  /// Returns the requested days, or the latest days with samples.
  private func days(of database: Database, _ console: Console) throws -> ReportDays {
    let newest = try to == nil ? newest(in: database.snapshot(), console) : nil
    let last = newest.map {
      ReportDays.next(day(of: Date(timeIntervalSinceReferenceDate: $0)), by: 1, zone.calendar)
    }
    let end = to ?? [last, from].compactMap(\.self).max() ?? zone.monday
    let start =
      from
      ?? (newest == nil && to == nil
        ? end : ReportDays.next(day(of: end), by: -ReportDays.standard, zone.calendar))
    guard let days = ReportDays(from: start, to: end, in: zone) else {
      throw UsageError(
        "A report has \(ReportDays.limit) days at most; name --to, or a later --from.")
    }
    guard days.limits.allSatisfy({ Self.years.contains($0.lowerBound) }) else {
      throw Failure(
        "A report shows days of the years 1 to 9999; name --from and --to.", status: .unusable)
    }
    return days
  }

  /// The years 1 to 9999 in seconds since 2001, with a day on both sides for the time zone.
  private static let years = -63_114_000_000.0..<252_424_080_000

  /// Returns the latest time that a sample covers, or nil if there are no samples.
  ///
  /// Samples that begin after today, such as those from a device with a wrong clock, are counted
  /// and ignored, unless every sample begins after today.
  private func newest(in snapshot: Snapshot, _ console: Console) throws -> Double? {
    let symbols = snapshot.symbols
    let series = snapshot.series(of: symbols.intern(subject))
      .filter { !symbols.isChildType($0.type) }
    let tomorrow = ReportDays.next(day(of: now), by: 1, zone.calendar)
      .timeIntervalSinceReferenceDate
    var newest = -Double.infinity
    var (later, latest) = (0, -Double.infinity)
    try snapshot.scan(series, where: RowFilter(), columns: [.start, .end]) { block, rows in
      for row in rows.lazy.map(Int.init) {
        let (start, end) = (block.start[row], block.end[row])
        guard start < tomorrow else {
          (later, latest) = (later + 1, max(latest, start))
          continue
        }
        // A sample that ends at midnight does not overlap the next day.
        newest = max(newest, end > start && end <= tomorrow ? end.nextDown : start)
      }
      return true
    }
    if later > 0, !newest.isFinite {
      console.note("All samples of this --subject begin after today.")
      return latest
    }
    if later > 0 {
      console.note(
        "\(Figures.count(later, "sample")) of this --subject "
          + "\(later == 1 ? "begins" : "begin") after today, the last on "
          + "\(UTCText.day(Date(timeIntervalSinceReferenceDate: latest))), and "
          + "\(later == 1 ? "is" : "are") left out; --to shows later days.")
    }
    if newest.isFinite { return newest }
    if later == 0 { console.note("There are no samples of this --subject.") }
    return nil
  }

  private func day(of date: Date) -> Date { zone.calendar.startOfDay(for: date) }
}
