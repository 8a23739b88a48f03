extension TidyRule {
  // Assembled from parts, so that this file does not break its own rules.
  private static let questionWords = [
    "What", "Who", "Who" + "ever", "Whose", "Where", "How", "When",
  ]
  private static let unnamedActors = [
    "who" + "ever", "Who" + "ever", "no" + "body", "No" + "body", "some" + "body", "Some" + "body",
  ]

  /// A text names the actor: the writer, the caller, the operating system.
  static let namedActors = TidyRule(name: "named actors") { file in
    guard isEnglish(file) else { return [] }
    let present = unnamedActors.filter { file.contains($0) }
    if present.isEmpty { return [] }
    return file.lines.enumerated().flatMap { index, line in
      present.filter { line.contains($0) }.map {
        Finding(file, line: index + 1, "the word \($0) in place of the actor")
      }
    }
  }

  /// A comment begins with a noun or a verb, and a test name with its subject.
  static let beginnings = TidyRule(name: "beginnings") { file in
    guard isEnglish(file) else { return [] }
    var isWithinComment = false
    return file.lines.enumerated().compactMap { index, line in
      let text = comment(line, in: file)
      defer { isWithinComment = text != nil }
      if !isWithinComment, let text, let word = questionWord(text) {
        return Finding(file, line: index + 1, "a comment that begins with \(word)")
      }
      if let name = testName(line, in: file), let word = questionWord(name) {
        return Finding(file, line: index + 1, "a test name that begins with \(word)")
      }
      return nil
    }
  }

  /// Whether the rules on English apply: to sources, documentation, tests, benchmarks, scripts and
  /// the Markdown files of the root directory.
  private static func isEnglish(_ file: SourceFile) -> Bool {
    let folders = ["Sources/", "Docs/", "Tests/", "Benchmarks/Sources/", ".ci/"]
    return file.path == "Makefile" || folders.contains { file.path.hasPrefix($0) }
      || file.kind == "md" && file.components.count == 1
  }

  /// Returns the text of a comment that has a line of its own, or nil for any other line.
  ///
  /// A listing in Markdown may have comments with slashes; a number sign begins a heading there.
  private static func comment(_ line: Substring, in file: SourceFile) -> Substring? {
    let text = line.drop { $0 == " " || $0 == "\t" }
    let marker: Character = file.isCode || file.kind == "md" ? "/" : "#"
    let rest = text.drop { $0 == marker }
    guard rest.startIndex != text.startIndex, marker == "#" || text.hasPrefix("//") else {
      return nil
    }
    return rest.drop { $0 == " " }
  }

  /// Returns the name between backticks of the function that the line declares, or nil.
  private static func testName(_ line: Substring, in file: SourceFile) -> Substring? {
    guard file.isSwift, line.utf8.contains(UInt8(ascii: "`")) else { return nil }
    if let start = line.firstRange(of: "func `")?.upperBound { return line[start...] }
    // A long name has a line of its own.
    let text = line.drop { $0 == " " }
    return text.first == "`" ? text.dropFirst() : nil
  }

  private static func questionWord(_ text: Substring) -> String? {
    let word = String(text.prefix { $0.isLetter })
    return questionWords.contains(word) ? word : nil
  }
}
