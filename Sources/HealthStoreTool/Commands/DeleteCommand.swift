import HealthStore
import SampleLog

/// `healthstore delete`: deletes samples, as an application would.
struct DeleteCommand: Command {
  static let usage = CommandUsage(
    name: "delete", summary: "Deletes samples by type, subject, dates, UUID or predicate.",
    store: .destroying,
    options: SampleChoice.options + [
      .init(name: "--dry-run", help: "Prints what would be deleted, and deletes nothing."),
      .init(name: "--yes", help: "Does not ask for confirmation; required without a terminal."),
    ] + ReportFormat.options,
    notes: [
      "The options have the same meaning as for `healthstore query`, which prints the "
        + "samples. All are deleted in one commit or none, unless there are more than a commit "
        + "may have or the disk has no room for it. Change feeds deliver the deletions like any "
        + "others. Deleting a correlation keeps its objects. The bytes of deleted samples stay "
        + "in files until `healthstore compact`. With --dry-run, other programs may write to the "
        + "store. Exit status: 0 deleted, 1 nothing was deleted, because no sample matched or "
        + "the answer was no."
    ])

  private let store: String
  private let choice: SampleChoice
  private let isDry: Bool
  private let isSure: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    choice = try SampleChoice(arguments)
    isDry = arguments.has("--dry-run")
    isSure = arguments.has("--yes")
    isJSON = try arguments.wantsJSON()
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database =
      isDry ? try StoreOpening.reading(store) : try StoreOpening.changing(store)
    defer { StoreOpening.noteUnpublished(database, console) }
    try choice.check(database)
    let snapshot = database.snapshot()
    let chosen = try choice.samples(of: database, in: snapshot)
    let found = try chosen.counts(in: snapshot)
    let count = found.reduce(0) { $0 + $1.count }
    let samples = Figures.count(count, "sample")
    if isDry {
      try console.report(
        isJSON
          ? [json("wouldDelete", count, found, database)]
          : table(found, database) + ["\(samples) would be deleted"])
      return .good
    }
    guard count > 0 else {
      try database.close()
      throw Failure("There is no such sample; nothing was deleted.", status: .failed)
    }
    guard try isSure || Confirmation.isGiven("Delete \(samples)?", console) else {
      try database.close()
      throw Failure("Nothing was deleted.", status: .failed)
    }
    WorkoutRecount.addCommitHook(to: database)
    let deleted: Int
    do {
      deleted = try database.delete(where: chosen.selection) { try chosen.check?($0, $1) }
    } catch {
      throw try failure(error, of: count, chosen, database)
    }
    let lines =
      isJSON
      ? [json("deleted", deleted, found, database)]
      : table(found, database) + ["\(Figures.count(deleted, "sample")) deleted"]
    try database.close()
    try console.report(lines)
    return .good
  }

  /// Returns an error that states the number of samples deleted before it.
  ///
  /// A deletion may consist of several commits if the disk has no room for a single one.
  private func failure(
    _ error: any Error, of count: Int, _ chosen: ChosenSamples, _ database: Database
  ) throws -> any Error {
    let left = try chosen.counts(in: database.snapshot()).reduce(0) { $0 + $1.count }
    guard left < count else { return error }
    let cause = Failure(error)
    return Failure(
      "\(cause.sentence) \(Figures.count(count - left)) of \(Figures.count(count, "sample")) were "
        + "deleted; run it again for the others.", status: cause.status)
  }

  private func table(
    _ found: [(key: SeriesKey, count: Int)], _ database: Database
  ) -> [String] {
    if found.isEmpty { return [] }
    var table = TextTable([("SUBJECT", .left), ("TYPE", .left), ("SAMPLES", .right)])
    for (key, count) in found {
      let (subject, type) = names(key, database)
      table.add([subject, type, Figures.count(count)])
    }
    return table.lines() + [""]
  }

  private func json(
    _ verb: String, _ count: Int, _ found: [(key: SeriesKey, count: Int)], _ database: Database
  ) -> String {
    var object = JSONObject()
    object.add(verb, count)
    object.add(
      "types",
      found.map { key, count in
        let (subject, type) = names(key, database)
        var object = JSONObject()
        object.add("subject", subject)
        object.add("type", type)
        object.add("samples", count)
        return object
      })
    return object.text
  }

  private func names(_ key: SeriesKey, _ database: Database) -> (subject: String, type: String) {
    (
      database.symbols.text(key.subject),
      HKSampleType.shortName(ofIdentifier: database.symbols.text(key.type))
    )
  }
}
