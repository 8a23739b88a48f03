extension TidyRule {
  // Assembled from parts, so that this file does not break its own rules.
  private static let unfinished = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]
  private static let sleeps = [
    "Task." + "sleep", "Thread." + "sleep", "u" + "sleep", "nano" + "sleep",
  ]

  /// Unfinished work is listed as an issue, not marked in code.
  static let forbiddenWords = TidyRule(name: "forbidden words") { file in
    guard file.isKeptTidy else { return [] }
    return findings(in: file, words: unfinished) { "the word \($0)" }
  }

  /// A test that sleeps is slow, fails by chance, or both.
  static let sleeping = TidyRule(name: "sleeping tests") { file in
    guard file.isSwift, file.path.hasPrefix("Tests/") else { return [] }
    return findings(in: file, words: sleeps) { "a call of \($0)" }
  }

  /// The engine and its documentation do not mention the layers above.
  static let upperLayers = TidyRule(name: "upper layers") { file in
    guard file.path.hasPrefix("Sources/SampleLog") else { return [] }
    let words = ["HealthKit", "HealthStore", "HealthDatabase", "HKHealthStore", "HKObserverQuery"]
    return findings(in: file, words: words) { "the engine mentions \($0)" }
  }

  /// Code uses the word subject; prose and test names may use person.
  static let subjects = TidyRule(name: "names of subjects") { file in
    guard file.isSwift, file.contains("erson") || file.contains("eople") else { return [] }
    return file.code.enumerated().compactMap { index, line in
      // Test names are sentences between backticks.
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      let code = parts.indices.filter { $0.isMultiple(of: 2) }.map { parts[$0].lowercased() }
        .joined(separator: " ").replacing("personal", with: "")
      guard let word = ["person", "people"].first(where: { code.contains($0) }) else { return nil }
      return Finding(file, line: index + 1, "a name with \(word) in place of subject")
    }
  }

  // Assembled from parts, too.
  private static let swallowing = ["try" + "?"]

  /// The folders whose code reads samples.
  private static let readPaths =
    ["HealthStore/"]
    + [
      "Block", "Cache", "Codec", "Expiry", "KeyIndex", "MemTable", "Query", "Row", "Segment",
      "Snapshot", "Symbols",
    ].map { "SampleLog/\($0)/" }

  /// Code that reads samples propagates every error.
  ///
  /// Ignoring one would give an incomplete or wrong answer.
  static let swallowedErrors = TidyRule(name: "swallowed errors") { file in
    guard file.isSwift, readPaths.contains(where: { file.path.hasPrefix("Sources/\($0)") }) else {
      return []
    }
    return findings(in: file, words: swallowing) { "\($0) on a path that reads samples" }
  }

  private static func findings(
    in file: SourceFile, words: [String], problem: (String) -> String
  ) -> [Finding] {
    // Most files contain none of the words, and this check is quick.
    let present = words.filter { file.contains($0) }
    if present.isEmpty { return [] }
    return file.lines.enumerated().flatMap { index, line in
      present.filter { holds(line, word: $0) }.map {
        Finding(file, line: index + 1, problem($0))
      }
    }
  }

  /// Whether the line contains the word by itself rather than as part of a longer one.
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
