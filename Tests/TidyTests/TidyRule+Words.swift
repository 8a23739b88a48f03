extension TidyRule {
  // Put together from parts, so that this file does not break its own rules.
  private static let unfinished = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]
  private static let sleeps = [
    "Task." + "sleep", "Thread." + "sleep", "u" + "sleep", "nano" + "sleep",
  ]

  /// Work that is not done is not marked in code but listed as an issue.
  static let forbiddenWords = TidyRule(name: "forbidden words") { file in
    guard file.isKeptTidy else { return [] }
    return findings(in: file, words: unfinished) { "the word \($0)" }
  }

  /// A test that sleeps is slow or fails by chance, and often both.
  static let sleeping = TidyRule(name: "sleeping tests") { file in
    guard file.isSwift, file.path.hasPrefix("Tests/") else { return [] }
    return findings(in: file, words: sleeps) { "a call of \($0)" }
  }

  /// The engine and its documentation do not know the layers above.
  static let upperLayers = TidyRule(name: "upper layers") { file in
    guard file.path.hasPrefix("Sources/SampleLog") else { return [] }
    let words = ["HealthKit", "HealthStore", "HealthDatabase", "HKHealthStore", "HKObserverQuery"]
    return findings(in: file, words: words) { "the engine mentions \($0)" }
  }

  // Put together from parts as well.
  private static let swallowing = ["try" + "?"]

  /// The folders whose code reads samples.
  private static let readPaths =
    ["HealthStore/"]
    + [
      "Block", "Cache", "Codec", "Expiry", "KeyIndex", "MemTable", "Query", "Row", "Segment",
      "Snapshot", "Symbols",
    ].map { "SampleLog/\($0)/" }

  /// An error that is met while samples are read is passed on: without it an answer would be
  /// shorter than the truth, or wrong.
  static let swallowedErrors = TidyRule(name: "swallowed errors") { file in
    guard file.isSwift, readPaths.contains(where: { file.path.hasPrefix("Sources/\($0)") }) else {
      return []
    }
    return findings(in: file, words: swallowing) { "\($0) on a path that reads samples" }
  }

  private static func findings(
    in file: SourceFile, words: [String], problem: (String) -> String
  ) -> [Finding] {
    // Most files hold none of the words, and finding that out is quick.
    let present = words.filter { file.contains($0) }
    if present.isEmpty { return [] }
    return file.lines.enumerated().flatMap { index, line in
      present.filter { holds(line, word: $0) }.map {
        Finding(file, line: index + 1, problem($0))
      }
    }
  }

  /// Whether the line holds the word by itself rather than as a part of a longer one.
  static func holds(_ line: Substring, word: String) -> Bool {
    var rest = line
    while let found = rest.firstRange(of: word) {
      let before = line[..<found.lowerBound].last
      let after = line[found.upperBound...].first
      if !isPartOfWord(before), !isPartOfWord(after) { return true }
      rest = line[found.upperBound...]
    }
    return false
  }

  private static func isPartOfWord(_ character: Character?) -> Bool {
    guard let character else { return false }
    return character.isLetter || character.isNumber || character == "_"
  }
}
