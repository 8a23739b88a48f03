import AppleHealthExport
import HealthStore

/// The result of an import as text.
struct ImportReport {
  private let summary: ImportSummary
  private let seconds: Double

  init(_ summary: ImportSummary, seconds: Double) {
    self.summary = summary
    self.seconds = seconds
  }

  var lines: [String] {
    var lines: [String] = []
    if !summary.types.isEmpty { lines += typeTable + [""] }
    return lines + result
  }

  /// The result without the table of types.
  var result: [String] {
    var lines: [String] = []
    let rate = seconds > 0 ? Int(Double(summary.added + summary.known) / seconds) : 0
    lines.append(
      "\(Figures.count(summary.added, "sample")) added, \(Figures.count(summary.known)) there "
        + "already (\(Figures.time(seconds)), \(Figures.count(rate)) samples/s)")
    if summary.characteristics > 0 {
      lines.append("\(summary.characteristics) of the person's characteristics set")
    }
    if summary.activitySummaries > 0 {
      lines.append("\(Figures.count(summary.activitySummaries, "day")) of activity summaries set")
    }
    if summary.settings > 0 {
      lines.append("\(Figures.count(summary.settings, "setting")) of the person set")
    }
    lines += section("Not imported, because the store cannot hold it:", unrepresented)
    lines += section("Not imported, because it cannot be understood:", problems)
    lines += section("Not imported, because this version does not know it:", unknownElements)
    lines += section("Files that were not imported, or not whole:", files)
    lines += section("Imported, though this version does not know the type or value:", unknown)
    lines += section("Metadata kept as text:", keptAsText)
    lines += section("Odd, but read:", oddities)
    return lines
  }

  /// The reasons for which the store does not have everything of the export, one sentence each.
  var warnings: [String] {
    var sentences: [String] = []
    if case .truncated(let offset, _) = summary.reading.end {
      sentences.append(
        "The export is cut at byte \(Figures.count(offset)); everything before was imported.")
    }
    if let broken = summary.broken {
      let position = broken.firstOffset.map { ", the first at byte \(Figures.count($0))" } ?? ""
      let parts = broken.count == 1 ? "part of the export is" : "parts of the export are"
      sentences.append(
        "\(Figures.count(broken.count)) \(parts) left out, broken, not known or above a limit"
          + "\(position); everything else was imported.")
    }
    let broken = summary.files.values.count(where: \.isBroken)
    if broken > 0 {
      sentences.append(
        "\(broken == 1 ? "One file" : "\(Figures.count(broken)) files") of the export could not be "
          + "read, or not whole; everything else was imported.")
    }
    if let offset = summary.reading.trailingOffset {
      sentences.append(
        "\(Figures.count(summary.reading.trailingBytes, "byte")) from byte "
          + "\(Figures.count(offset)) on follow the end of the export, and were not read.")
    }
    return sentences
  }

  var status: ExitStatus {
    if case .truncated = summary.reading.end { return .truncated }
    let isWhole = summary.broken == nil && summary.reading.trailingOffset == nil
    return isWhole && !summary.files.values.contains(where: \.isBroken) ? .good : .incomplete
  }

  private var typeTable: [String] {
    var table = TextTable([("TYPE", .left), ("ADDED", .right), ("THERE ALREADY", .right)])
    let rows = summary.types.map { type, count in
      (HKSampleType.shortName(ofIdentifier: type), count)
    }
    for (name, count) in rows.sorted(by: { $0.0 < $1.0 }) {
      table.add([name, Figures.count(count.added), Figures.count(count.known)])
    }
    return table.lines()
  }

  private func section(_ title: String, _ entries: [(String, String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    var table = TextTable([("", .right), ("", .left)])
    for (count, text) in entries { table.add([count, text]) }
    return ["", title] + table.lines(indent: "  ").dropFirst()
  }

  private var unrepresented: [(String, String)] {
    summary.unrepresented.sorted { $0.key < $1.key }.map { name, found in
      (Figures.count(found.count), "\(name) (first at byte \(Figures.count(found.firstOffset)))")
    }
  }

  private var unknown: [(String, String)] {
    summary.unknownTypes.sorted { $0.key < $1.key }.map { name, found in
      let name = name.isEmpty ? "further types" : name
      return (
        Figures.count(found.count), "\(name) (first at byte \(Figures.count(found.firstOffset)))"
      )
    }
  }

  private var problems: [(String, String)] {
    let own = summary.problems.map { ("\($0.key)", $0.value.count, Int64?($0.value.firstOffset)) }
    let met = summary.reading.problems.map { reason, count in
      let first = summary.reading.firstProblems.first { $0.reason == reason }
      let element = first.map { $0.element.isEmpty ? "" : " in \($0.element)" } ?? ""
      return ("\(Self.phrase(reason))\(element)", count, first?.offset)
    }
    return (own + met).sorted { $0.0 < $1.0 }.map { text, count, offset in
      let position = offset.map { " (first at byte \(Figures.count($0)))" } ?? ""
      return (Figures.count(count), text + position)
    }
  }

  private var files: [(String, String)] {
    summary.files.sorted { $0.key < $1.key }.map { name, problem in
      ("", "\(name.isEmpty ? "further files" : name): \(problem)")
    }
  }

  private var keptAsText: [(String, String)] {
    summary.metadataKeptAsText.sorted { $0.key < $1.key }.map { key, count in
      (Figures.count(count), key.isEmpty ? "under further keys" : key)
    }
  }

  private var unknownElements: [(String, String)] {
    summary.reading.unknownElements.sorted { $0.key < $1.key }.map { name, count in
      (Figures.count(count), name.isEmpty ? "further elements" : "elements \(name)")
    }
  }

  private var oddities: [(String, String)] {
    let reading = summary.reading
    var entries: [(String, String)] = []
    let counts: [(Int, String)] = [
      (reading.duplicateAttributes, "attributes that were there twice"),
      (reading.malformedTags, "malformed tags"),
      (reading.mismatchedTags, "tags without their counterpart"),
      (reading.strayBrackets, "stray brackets"),
      (reading.unknownEntities, "unknown entities"),
      (reading.repairedStrings, "strings repaired"),
    ]
    for (count, text) in counts where count > 0 { entries.append((Figures.count(count), text)) }
    return entries
  }

  private static func phrase(_ reason: ExportProblem.Reason) -> String {
    switch reason {
    case .missingAttribute: "a required attribute is missing"
    case .invalidDate: "a date cannot be read"
    case .invalidNumber: "a number cannot be read"
    case .invalidIdentifier: "an identifier cannot be read"
    case .misplaced: "an element out of place"
    case .attributeTooLong: "an attribute is too long"
    case .tooManyAttributes: "too many attributes"
    case .tagTooLong: "a tag is too long"
    case .tooDeep: "elements are nested too deep"
    case .itemTooLong: "an item is too long"
    case .invalidBytes: "bytes in an attribute cannot be read"
    }
  }
}
