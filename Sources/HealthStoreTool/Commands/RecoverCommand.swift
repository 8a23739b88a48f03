import HealthStore
import SampleLog

/// `healthstore recover`: lists and saves what a replaced primary kept.
struct RecoverCommand: Command {
  static let usage = CommandUsage(
    name: "recover", summary: "Lists and saves the samples that a replaced primary kept.",
    store: .using,
    arguments: [
      .init(name: "KEPT", help: "The directory that `healthstore replica --keep` wrote.")
    ],
    options: [
      .init(name: "--save", help: "Saves the missing samples in DIR, instead of listing them."),
      .init(
        name: "--deletions",
        help: "With --save: also deletes in DIR the samples that KEPT has deleted."),
      .init(
        name: "--anyway",
        help: "Accepts a KEPT of another store, and includes subjects that DIR has erased."),
    ] + ReportFormat.options,
    notes: [
      "The commits of KEPT after the sequence number up to which both directories have the "
        + "same history are compared with DIR by UUID. The list has the samples that DIR does not "
        + "have (missing), samples of both to which KEPT adds attachments or links (extended), "
        + "and samples that KEPT has deleted and DIR has (deleted). Samples that DIR has in the "
        + "same or a later version, has deleted, or whose subject it has erased since then are "
        + "left out and counted. The list does not change DIR, which may be a replica or open "
        + "for writing.",
      "With --save, DIR is the primary's store, and no other program may have it open for "
        + "writing. Samples keep their UUIDs, sources, metadata and relations. Each 10,000 "
        + "samples are one commit. Another run saves nothing again. Settings, such as "
        + "characteristics, are not compared.",
      "Exit status: 0 listed or saved, 1 failed, 2 a directory that cannot be used, or that "
        + "belongs to another store, 5 a damaged sample or store, 130 and 143 interrupted.",
    ])

  private let kept: String
  private let store: String
  private let saves: Bool
  private let appliesDeletions: Bool
  private let isForced: Bool
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    kept = arguments.positional[0]
    store = try arguments.store()
    saves = arguments.has("--save")
    appliesDeletions = arguments.has("--deletions")
    isForced = arguments.has("--anyway")
    isJSON = try arguments.wantsJSON()
    if appliesDeletions, !saves {
      throw arguments.error("The option --deletions is for --save; the list has the deletions")
    }
  }

  func run(_ console: Console) async throws -> ExitStatus {
    // A list has nothing to complete, so signals end it at once.
    try run(console, saves ? Interruption() : nil)
  }

  func run(_ console: Console, _ interruption: Interruption?) throws -> ExitStatus {
    let source = try StoreOpening.reading(kept)
    let target = saves ? try StoreOpening.changing(store) : try StoreOpening.reading(store)
    defer { StoreOpening.noteUnpublished(target, console) }
    guard source.storeID == target.storeID || isForced else {
      throw Failure(
        "\(kept) has commits of another store than \(store); name the copies of one store, or say "
          + "--anyway.", status: .unusable)
    }
    let unreadable = UnreadableSamples(RowReader(source), readsPoints: true, console)
    let snapshot = source.snapshot()
    let changes = KeptChanges(source, target, includesErased: isForced) {
      try unreadable.admits($0, $1, in: snapshot)
    }
    if changes.hasForgotten {
      console.note(
        "\(store) has forgotten deletions up to sequence number "
          + "\(Figures.count(changes.store.floor)); samples that it had deleted may be missing.")
    }
    if let interruption {
      let counts = try save(changes, source, target, interruption)
      let summary = Summary(counts, changes, isSaved: true)
      try console.report(isJSON ? [summary.object([]).text] : summary.lines)
    } else {
      try list(changes, source, target, console)
    }
    try target.close()
    return unreadable.status(remedy: "\(kept) keeps them.")
  }

  private func list(
    _ changes: KeptChanges, _ source: Database, _ target: Database, _ console: Console
  ) throws {
    let printer = KeptChangePrinter(source, target, isJSON: isJSON, console)
    printer.begin()
    var counts = KeptChangeCounts()
    try changes.forEach { if counts.add($0) { try printer.print($0) } }
    let subjects = try changes.subjectsToErase()
    for subject in subjects {
      console.note(
        "\(kept) has erased the subject \"\(subject)\"; `healthstore erase` does that in \(store).")
    }
    let summary = Summary(counts, changes, isSaved: false)
    try printer.end(summary.object(subjects), summary.lines)
  }

  private func save(
    _ changes: KeptChanges, _ source: Database, _ target: Database, _ interruption: Interruption
  ) throws -> KeptChangeCounts {
    var saver = KeptChangeSaver(
      source, changes.kept, into: target, appliesDeletions: appliesDeletions)
    do {
      try changes.forEach {
        if interruption.isAsked { throw StoreError.cancelled }
        try saver.save($0)
      }
      try saver.commit()
    } catch {
      let done = "\(Figures.count(saver.saved.samples, "sample")) of \(kept) are saved"
      try? target.close()
      if case StoreError.cancelled = error { throw interruption.failure(done) }
      let cause = Failure(error)
      throw Failure("\(cause.sentence) \(done); run it again for the rest.", status: cause.status)
    }
    return saver.saved
  }

  /// The numbers of changes and of samples that were left out.
  private struct Summary {
    let counts: KeptChangeCounts
    let leftOut: KeptChanges.LeftOut
    let split: UInt64
    let isSaved: Bool

    init(_ counts: KeptChangeCounts, _ changes: KeptChanges, isSaved: Bool) {
      self.counts = counts
      leftOut = changes.leftOut
      split = changes.split
      self.isSaved = isSaved
    }

    var lines: [String] {
      [
        "\(Figures.count(counts.samples, "sample")) \(isSaved ? "saved" : "missing"), "
          + "\(Figures.count(counts.extended)) extended, "
          + "\(Figures.count(counts.deletions)) deleted",
        "left out: \(Figures.count(leftOut.known)) there already, "
          + "\(Figures.count(leftOut.deleted)) deleted since, "
          + "\(Figures.count(leftOut.erased)) of erased subjects",
      ]
    }

    func object(_ subjects: [String]) -> JSONObject {
      var object = JSONObject()
      object.add(isSaved ? "saved" : "missing", counts.samples)
      object.add("extended", counts.extended)
      object.add("deleted", counts.deletions)
      object.add("leftOutKnown", leftOut.known)
      object.add("leftOutDeleted", leftOut.deleted)
      object.add("leftOutErased", leftOut.erased)
      object.add("sharedThrough", split)
      if !isSaved { object.add("subjectsToErase", subjects) }
      return object
    }
  }
}
