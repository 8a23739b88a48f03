import Testing

@Suite struct EnglishRuleTests {
  private static let folders = [
    "Sources/A/B.swift", "Docs/A.md", "Tests/A/B.swift", "Tests/README.md",
    "Benchmarks/Sources/A/B.swift", "Makefile", ".ci/run", "README.md", "CHANGELOG.md",
  ]
  private static let questionWords = [
    "What", "Who", "Who" + "ever", "Whose", "Where", "How", "When",
  ]

  @Test(arguments: ["who" + "ever", "no" + "body", "some" + "body"])
  func `A word in place of the actor is reported in every file`(word: String) {
    for word in [word, word.prefix(1).uppercased() + word.dropFirst()] {
      for line in ["/// \(word)'s turn.", "let text = \"\(word)\"", "func \(word)Saves() {}"] {
        for path in Self.folders {
          let file = SourceFile(path, "\n\(line)\n")
          #expect(TidyRule.namedActors.check(file).map(\.line) == [2])
        }
        #expect(TidyRule.namedActors.check(SourceFile("LICENSE", "\n\(line)\n")).isEmpty)
      }
    }
  }

  @Test(arguments: questionWords)
  func `A comment that begins with a question word is reported`(word: String) {
    for marker in ["// ", "/// ", "  /// "] {
      let text = "let a = 1\n\(marker)\(word) is first.\n\(marker)\(word) is second.\n"
      for path in ["Sources/A/B.swift", "Sources/C/c.h", "Docs/A.md"] {
        #expect(TidyRule.beginnings.check(SourceFile(path, text)).map(\.line) == [2])
      }
    }
    for path in ["Makefile", ".ci/run"] {
      let file = SourceFile(path, "# \(word) is first.\n")
      #expect(TidyRule.beginnings.check(file).map(\.line) == [1])
    }
  }

  @Test(arguments: questionWords)
  func `A question word elsewhere in a comment or in code is accepted`(word: String) {
    let text = """
      /// The time at which a sample ends.
      /// \(word) continues the sentence.
      let text = "\(word) // \(word)"
      /// \(word)less things.
      """
    #expect(TidyRule.beginnings.check(SourceFile("Sources/A/B.swift", text + "\n")).isEmpty)
    #expect(TidyRule.beginnings.check(SourceFile("Docs/A.md", "# \(word) it works\n")).isEmpty)
  }

  @Test(arguments: questionWords)
  func `A test name that begins with a question word is reported`(word: String) {
    for line in ["  @Test func `\(word) is saved`() {", "    `\(word) is saved`()"] {
      let file = SourceFile("Tests/A/B.swift", "\n\(line)\n")
      #expect(TidyRule.beginnings.check(file).map(\.line) == [2])
    }
    let file = SourceFile("Tests/A/B.swift", "@Test func `A sample is found \(word)`() {\n")
    #expect(TidyRule.beginnings.check(file).isEmpty)
  }
}
