import Foundation
import HealthStore
import SampleLog

/// `healthstore expire`: deletes samples that are older than an age.
struct ExpireCommand: Command {
  static let usage = CommandUsage(
    name: "expire", summary: "Deletes samples older than a given age.",
    store: .destroying,
    options: [
      .init(
        name: "--older-than", value: "AGE", help: "The age, such as 365d, 52w or 12h.",
        isRequired: true),
      .init(
        name: "--type", value: "TYPE",
        help: "The type, such as heartRate or HKQuantityTypeIdentifierHeartRate; may be repeated.",
        isRepeatable: true),
      .init(name: "--all-types", help: "Samples of every type, in place of --type."),
      .init(
        name: "--subject", value: "NAME",
        help: "The subject; the one with the empty name if absent."),
      .init(name: "--all-subjects", help: "Samples of all subjects, in place of --subject."),
      .init(name: "--dry-run", help: "Prints what would be deleted, and deletes nothing."),
      .init(name: "--compact", help: "Compacts the store afterwards."),
    ] + ReportFormat.options,
    notes: [
      "A sample is deleted if it ended longer ago than AGE. Change feeds deliver the "
        + "deletions like any others. Deleting a correlation keeps its objects. Deleted samples "
        + "take space until the store is compacted. If the command is interrupted, another run "
        + "deletes the rest. With --dry-run, other programs may write to the store."
    ])

  private let store: String
  private let types: [String]?
  private let subject: String?
  private let age: TimeInterval
  private let isDry: Bool
  private let isCompacting: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    let text = try arguments.required("--older-than")
    guard let age = AgeArgument.seconds(text) else {
      throw arguments.error(
        "The option --older-than needs an age of up to 1000 years such as 365d, 52w or 12h, "
          + "not \(text)")
    }
    self.age = age
    let names = arguments.all("--type")
    guard names.isEmpty == arguments.has("--all-types") else {
      // A forgotten option must not delete everything.
      throw arguments.error("One of the options --type and --all-types is needed")
    }
    types = names.isEmpty ? nil : try names.map { try TypeArgument.identifier($0) }
    if arguments.has("--subject"), arguments.has("--all-subjects") {
      throw arguments.error("The options --subject and --all-subjects exclude each other")
    }
    subject = arguments.has("--all-subjects") ? nil : arguments["--subject"] ?? ""
    isDry = arguments.has("--dry-run")
    isCompacting = arguments.has("--compact")
    isJSON = try arguments.wantsJSON()
    if isDry, isCompacting {
      throw arguments.error("The options --dry-run and --compact exclude each other")
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    try run(console, Interruption())
  }

  func run(_ console: Console, _ interruption: Interruption) throws -> ExitStatus {
    let cutoff = Date().timeIntervalSinceReferenceDate - age
    let rules =
      types?.map { ExpiryRule(subject: subject, type: $0, endingBefore: cutoff) }
      ?? [ExpiryRule(subject: subject, endingBefore: cutoff)]
    var report = ExpireReport(cutoff: cutoff, isDry: isDry)
    if isDry {
      let database = try StoreOpening.reading(store)
      try TypeArgument.check(types ?? [], in: database)
      report.series = try database.snapshot().expired(by: rules)
    } else {
      let database = try StoreOpening.changing(store)
      defer { StoreOpening.noteUnpublished(database, console) }
      try TypeArgument.check(types ?? [], in: database)
      try expire(database, rules, &report, console, interruption)
      if isCompacting {
        report.compaction = try compact(database, report, console, interruption)
      }
      report.statistics = try database.statistics()
      try database.close()
    }
    try console.report(isJSON ? [report.object.text] : report.lines)
    return .good
  }

  private func compact(
    _ database: Database, _ report: ExpireReport, _ console: Console, _ interruption: Interruption
  ) throws -> CompactionResult {
    var progress = ProgressLine(console.error)
    do {
      return try CompactCommand.compact(database, &progress) { interruption.isAsked }
    } catch StoreError.cancelled {
      try database.close()
      throw interruption.failure(
        "deleted \(Figures.count(report.sampleCount, "sample")), whose bytes are still in files",
        advice: "`healthstore compact \(store)` removes them")
    }
  }

  private func expire(
    _ database: Database, _ rules: [ExpiryRule], _ report: inout ExpireReport,
    _ console: Console, _ interruption: Interruption
  ) throws {
    var progress = ProgressLine(console.error)
    WorkoutRecount.addCommitHook(to: database)
    var deleted = 0
    do {
      let result = try database.expire(rules) { count in
        deleted = count
        progress.show(fraction: nil, count: count)
      } isCancelled: {
        interruption.isAsked
      }
      report.series = result.series
      report.commitCount = result.commitCount
      report.seconds = progress.elapsed
      progress.clear()
    } catch StoreError.cancelled {
      progress.clear()
      try database.close()
      throw interruption.failure("deleted \(Figures.count(deleted, "sample"))")
    }
  }
}
