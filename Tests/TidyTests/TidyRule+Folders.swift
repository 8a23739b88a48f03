extension TidyRule {
  /// The folders of a module, lowest first.
  ///
  /// Folders of the same row may use each other.
  private struct Layers {
    let module: String
    let folders: [[Substring]]
  }

  private static let layers = [
    Layers(
      module: "SampleLog",
      folders: [
        ["Row"], ["Errors"], ["Platform"], ["Events"], ["Codec"], ["Symbols"], ["Block"], ["Log"],
        ["KeyIndex"],
        ["Segment"], ["MemTable"], ["Cache"],
        [
          "Snapshot", "Query", "Feed", "Commit", "Settings", "Recovery", "Tailing",
          "Replication", "Database",
        ],
        ["Compaction"], ["Expiry"], ["Metrics"], ["Maintenance"],
      ]),
    Layers(
      module: "HealthStore",
      folders: [
        // The vocabulary.
        "Errors", "Archives", "Threads", "Units", "Types", "Constants", "Metadata", "Sources",
        // Rows, and the objects that are built from them.
        "Payloads", "Rows", "Samples", "Assessments", "Documents", "Hearing", "Medications",
        "Records", "Vision", "Attachments", "Statistics", "Series", "Workouts",
        "ActivitySummaries", "Families",
        // Queries.
        "Sorting", "Conditions", "Checks", "Authorization", "Planning",
        // The operations of an open store.
        "Opening", "Writing", "Reading", "Settings", "Aggregation", "ActivityReading", "Saving",
        "Delivery", "Execution",
        // The public store and its users.
        "HealthStores", "Predicates", "Queries", "Descriptors", "Builders", "Subject",
        "AttachmentStore", "WorkoutSessions", "Cohort", "Transfer",
      ].map { [$0] }),
  ]

  private static let modifiers: Set<Substring> = [
    "final", "indirect", "internal", "open", "package", "public", "unsafe",
  ]
  private static let kinds: Set<Substring> = [
    "actor", "class", "enum", "protocol", "struct", "typealias",
  ]

  /// Reports files of a layered module that name a type that only a higher folder declares, and
  /// files outside the folder order.
  static func folderOrder(_ files: [SourceFile]) -> [Finding] {
    layers.flatMap { layers in
      folderOrder(
        files.filter { $0.isSwift && $0.path.hasPrefix("Sources/\(layers.module)/") }, layers)
    }
  }

  private static func folderOrder(_ files: [SourceFile], _ layers: Layers) -> [Finding] {
    var findings: [Finding] = []
    var placed: [(file: SourceFile, place: Int, lines: [Substring])] = []
    // The lowest folder of each type.
    var homes: [Substring: (place: Int, folder: Substring)] = [:]
    for file in files {
      let folder = file.components[2]
      guard let place = layers.folders.firstIndex(where: { $0.contains(folder) }) else {
        findings.append(Finding(file, "\(folder) has no place in the order of folders"))
        continue
      }
      let lines = file.code
      placed.append((file, place, lines))
      for name in lines.compactMap(declaredType) {
        if let home = homes[name], home.place <= place { continue }
        homes[name] = (place, folder)
      }
    }
    for (file, place, lines) in placed {
      for (index, line) in lines.enumerated() {
        for name in SwiftCode.names(in: line) {
          guard let home = homes[name], home.place > place else { continue }
          findings.append(Finding(file, line: index + 1, "names \(name) of \(home.folder)"))
        }
      }
    }
    return findings
  }

  /// The type that a line declares for other files: a top-level type that is not private.
  private static func declaredType(_ line: Substring) -> Substring? {
    guard let first = line.first, first != " " else { return nil }
    let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" }
      .drop { modifiers.contains($0) || $0.hasPrefix("@") }
    guard let kind = words.first, kinds.contains(kind) else { return nil }
    return words.dropFirst().first
  }
}
