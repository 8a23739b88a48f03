import Foundation
import HealthStore
import SampleLog

/// The selection of a command's samples by type, subject, date, identifier and predicate.
struct SampleChoice {
  /// The identifiers of the selected types, or nil for every type.
  let types: [String]?
  /// The selected subjects, or nil for every subject.
  let subjects: [String]?
  /// The conditions besides the predicate: start dates and identifiers.
  private let filter: RowFilter
  private let predicate: NSPredicate?
  /// The selection of activity summaries, or nil if the command selects none.
  private let days: ActivityDays?

  static let options: [CommandUsage.Option] = [
    .type("The type, such as heartRate or HKQuantityTypeIdentifierHeartRate; may be repeated."),
    .init(name: "--all-types", help: "Samples of every type, in place of --type."),
    .subject("The subject; the one with the empty name if absent. May be repeated."),
    .init(name: "--all-subjects", help: "Samples of all subjects, in place of --subject."),
    .from, .to,
    .init(
      name: "--uuid", value: "UUID",
      help: "The sample with this UUID, whatever its type and subject; may be repeated.",
      isRepeatable: true),
    .init(
      name: "--where", value: "PREDICATE",
      help: "Samples that satisfy a format of NSPredicate, "
        + "such as 'quantity > \"150 count/min\"'."),
  ]

  init(_ arguments: ParsedArguments) throws {
    let names = arguments.all("--type")
    let uuids = arguments.all("--uuid")
    guard !names.isEmpty || !uuids.isEmpty || arguments.has("--all-types") else {
      // A forgotten option must not select every sample.
      throw arguments.error("One of the options --type, --all-types and --uuid is needed")
    }
    for (one, other) in [("--type", "--all-types"), ("--subject", "--all-subjects")]
    where arguments.has(one) && arguments.has(other) {
      throw arguments.error("The options \(one) and \(other) exclude each other")
    }
    types = names.isEmpty ? nil : try names.map { try TypeArgument.identifier($0) }
    let isAnybody = arguments.has("--all-subjects") || !uuids.isEmpty
    let subjects = arguments.all("--subject")
    self.subjects = subjects.isEmpty ? (isAnybody ? nil : [""]) : subjects
    var filter = RowFilter()
    filter.start = try arguments.dates()
    let ids = try uuids.map { text in
      guard let uuid = UUID(uuidString: text) else {
        throw arguments.error("The option --uuid needs a UUID, not \(text)")
      }
      return Identifier(uuid)
    }
    if !ids.isEmpty { filter.ids = Set(ids) }
    self.filter = filter
    predicate = try arguments.predicate("--where")
    guard types?.contains(ActivityDay.type) == true else {
      days = nil
      return
    }
    guard ids.isEmpty, predicate == nil else {
      throw arguments.error(
        "\(ActivityDay.typeName) has no samples, so it takes neither --uuid nor --where")
    }
    days = ActivityDays(
      subjects: self.subjects, from: try arguments.time("--from"), to: try arguments.time("--to"))
  }

  /// Returns the selected activity summaries.
  func days(of database: Database, in snapshot: Snapshot) throws -> [ActivityDay] {
    try days?.read(database, snapshot) ?? []
  }

  /// Whether samples are selected by UUID.
  var isOfIdentifiers: Bool { filter.ids != nil }

  /// Throws if a selected type is neither known to this version nor present in the store.
  func check(_ database: Database) throws {
    try TypeArgument.check(types ?? [], in: database)
  }

  /// Returns the selected series of a snapshot, sorted by subject and type name.
  func series(in snapshot: Snapshot) -> [SeriesKey] {
    let symbols = snapshot.symbols
    let types = types.map { Set($0.map { symbols.intern($0) }) }
    let subjects = subjects.map { Set($0.map { symbols.intern($0) }) }
    let all = subjects?.flatMap { snapshot.series(of: $0) } ?? snapshot.series
    let chosen = all.filter { types?.contains($0.type) ?? !symbols.isChildType($0.type) }
    let named = chosen.map { (symbols.text($0.subject), symbols.text($0.type), $0) }
    return named.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  /// Returns the selected samples of a snapshot.
  ///
  /// A predicate excludes types that this version does not know.
  func samples(of database: Database, in snapshot: Snapshot) throws -> ChosenSamples {
    let series = series(in: snapshot)
    guard let predicate else {
      return ChosenSamples(
        series: series, selection: SeriesSelection(series, where: filter), check: nil)
    }
    let rows = PredicateRows(database, predicate)
    var filters: [SeriesKey: RowFilter] = [:]
    for key in series {
      guard var admitted = try rows.filter(key, in: snapshot) else { continue }
      admitted.start = admitted.start.intersection(filter.start)
      admitted.ids = filter.ids.map { admitted.ids?.intersection($0) ?? $0 } ?? admitted.ids
      filters[key] = admitted
    }
    return ChosenSamples(
      series: series.filter { filters[$0] != nil }, selection: SeriesSelection(filters),
      check: rows.check())
  }

  /// Reports each type of which a selected subject has no samples, with up to five subjects that
  /// do.
  func explainAbsence(in snapshot: Snapshot, _ console: Console) {
    let symbols = snapshot.symbols
    let found = Set(series(in: snapshot))
    for type in types ?? [] where type != ActivityDay.type {
      let symbol = symbols.intern(type)
      let absent = (subjects ?? []).filter {
        !found.contains(SeriesKey(subject: symbols.intern($0), type: symbol))
      }
      if absent.isEmpty, subjects != nil || found.contains(where: { $0.type == symbol }) {
        continue
      }
      let others = snapshot.series.filter { $0.type == symbol }.map(\.subject)
      let name = HKSampleType.shortName(ofIdentifier: type)
      guard !others.isEmpty else {
        console.note("The store has no samples of \(name).")
        continue
      }
      let list = others.map { symbols.text($0) }.sorted().prefix(5)
        .map { $0.isEmpty ? "(no name)" : $0 }.joined(separator: ", ")
      for subject in absent {
        let who = (subjects?.count ?? 0) > 1 && !subject.isEmpty ? subject : "this --subject"
        console.note("There are no samples of \(name) for \(who), but for: \(list).")
      }
    }
  }
}

extension CommandUsage.Option {
  /// Returns the option that names types.
  static func type(_ help: String, isRequired: Bool = false) -> Self {
    Self(name: "--type", value: "TYPE", help: help, isRequired: isRequired, isRepeatable: true)
  }

  /// Returns the option that names subjects.
  static func subject(_ help: String) -> Self {
    Self(name: "--subject", value: "NAME", help: help, isRepeatable: true)
  }

  static let from = Self(
    name: "--from", value: "TIME", help: "Samples that start at or after TIME.")
  static let to = Self(name: "--to", value: "TIME", help: "Samples that start before TIME.")
}

extension ParsedArguments {
  /// Returns an option's value as a predicate on samples, or nil if it was not given.
  fileprivate func predicate(_ name: String) throws(UsageError) -> NSPredicate? {
    guard let text = self[name] else { return nil }
    do throws(HKPredicateFormatError) {
      return try NSPredicate.typed(text, PredicateLiterals { TimeArgument.date($0) })
    } catch {
      throw self.error("The option \(name) cannot be used: \(error.description.dropLast())")
    }
  }

  /// Returns the start dates from `--from` up to but excluding `--to`.
  func dates() throws(UsageError) -> Bounds {
    let from = try time("--from")
    let to = try time("--to")
    if let from, let to, from > to { throw error("The time --to lies before --from") }
    var bounds = Bounds.all
    if let from { bounds = .from(from.timeIntervalSinceReferenceDate) }
    return to.map { bounds.intersection(.below($0.timeIntervalSinceReferenceDate)) } ?? bounds
  }
}
