import SampleLog

/// `healthstore repair`: copies the readable data of a damaged store to a new one.
struct RepairCommand: Command {
  static let usage = CommandUsage(
    name: "repair", summary: "Copies the readable data of a damaged store into a new one.",
    store: .using,
    arguments: [
      .init(name: "DESTINATION", help: "A directory that does not exist or is empty.")
    ],
    options: ReportFormat.options,
    notes: [
      "The command writes only the lock to the damaged store, so that no program writes to "
        + "it meanwhile. If a program has the store open for writing, the command names it and "
        + "ends with status 2. Everything outside of damaged blocks and frames is saved. One "
        + "line for each loss gives the file, bytes and sequence numbers, and the number of "
        + "samples if it is known. The new store refuses anchors whose readers may have seen "
        + "lost data. If deletions are lost, deleted samples may return. Exit status: 0 nothing "
        + "lost, 1 failed, 2 a directory that cannot be used, 5 data lost."
    ])

  private let source: String
  private let destination: String
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    source = try arguments.store()
    destination = arguments.positional[0]
    isJSON = try arguments.wantsJSON()
  }

  func run(_ console: Console) async throws -> ExitStatus {
    try StoreOpening.requireStore(source)
    try Paths.requireOutside(destination, of: source)
    let report = try StoreOpening.using(source) {
      try Database.repair(from: source, to: destination)
    }
    try console.report(isJSON ? [Self.object(report).text] : Self.lines(report))
    if report.isWhole { return .good }
    console.note("The store at \(source) is damaged, and not everything in it could be saved.")
    return .damaged
  }

  private static func lines(_ report: RepairReport) -> [String] {
    var lines = report.mended.map { "mended: \($0.file): byte \($0.offset): \($0.reason)" }
    for loss in report.losses {
      var parts = ["lost: " + (loss.file.isEmpty ? "a file that is missing" : loss.file)]
      if let bytes = loss.bytes { parts.append("bytes \(bytes.lowerBound) to \(bytes.upperBound)") }
      if let numbers = loss.sequences {
        parts.append("sequence numbers \(numbers.lowerBound) to \(numbers.upperBound)")
      }
      if let samples = loss.samples { parts.append("\(Figures.count(samples, "sample"))") }
      if let deletions = loss.deletions { parts.append("\(Figures.count(deletions, "deletion"))") }
      lines.append(parts.joined(separator: ", ") + ": " + loss.reason)
    }
    lines.append(
      "\(report.isWhole ? "repaired" : "repaired in part"): "
        + "\(Figures.count(report.sampleRows, "sample")) and "
        + "\(Figures.count(report.deletionRows, "deletion")) of "
        + "\(Figures.count(report.fileCount, "file")); anchors up to "
        + "\(Figures.count(report.anchorsThrough)) go on")
    return lines
  }

  private static func object(_ report: RepairReport) -> JSONObject {
    var object = JSONObject()
    object.add(
      "lost",
      report.losses.map { loss in
        var object = JSONObject()
        object.add(ifAny: "file", loss.file)
        if let bytes = loss.bytes {
          object.add("fromByte", bytes.lowerBound)
          object.add("toByte", bytes.upperBound)
        }
        if let numbers = loss.sequences {
          object.add("firstSequence", numbers.lowerBound)
          object.add("lastSequence", numbers.upperBound)
        }
        if let samples = loss.samples { object.add("samples", samples) }
        if let deletions = loss.deletions { object.add("deletions", deletions) }
        object.add("reason", loss.reason)
        return object
      })
    object.add(
      "mended",
      report.mended.map { damage in
        var object = JSONObject()
        object.add("file", damage.file)
        object.add("byte", damage.offset)
        object.add("reason", damage.reason)
        return object
      })
    object.add("samples", report.sampleRows)
    object.add("deletions", report.deletionRows)
    object.add("files", report.fileCount)
    object.add("newestSequence", report.end)
    object.add("anchorsThrough", report.anchorsThrough)
    object.add("epoch", report.epoch)
    return object
  }
}
