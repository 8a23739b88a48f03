import Testing

@Suite struct WordRuleTests {
  @Test func `The engine mentions no layer above it, in code or in prose`() {
    for text in [
      "/// As `HKObserverQuery` does.\n", "import HealthStore\n", "It knows HealthKit.\n",
    ] {
      for path in ["Sources/SampleLog/A.swift", "Sources/SampleLogNATS/A.md"] {
        #expect(TidyRule.upperLayers.check(SourceFile(path, text)).map(\.line) == [1])
      }
      #expect(TidyRule.upperLayers.check(SourceFile("Sources/HealthStore/A.swift", text)).isEmpty)
    }
    let name = "let name = \"healthstore_commits_total\"\n"
    #expect(TidyRule.upperLayers.check(SourceFile("Sources/SampleLog/A.swift", name)).isEmpty)
  }

  @Test(arguments: [
    "let person = 1", "struct PersonSummary {}", "func people() {}", "a(of: \"\\(nextPerson)\")",
    "@Test func `a subject`() { people += 1 }",
  ])
  func `A name that says person for a subject is reported`(code: String) {
    for path in ["Sources/HealthStore/A.swift", "Tests/A/B.swift", "Benchmarks/A.swift"] {
      #expect(TidyRule.subjects.check(SourceFile(path, "\n\(code)\n")).map(\.line) == [2])
    }
  }

  @Test func `Prose, texts and the names of tests may say person`() {
    let text = """
      /// A person's store, of many people.
      let personalRecord = "person"
      @Test func `two people become one person`() { merge() }
      """
    #expect(TidyRule.subjects.check(SourceFile("Tests/A/B.swift", text + "\n")).isEmpty)
  }

  @Test func `A mark of unfinished work is reported with its line`() {
    for mark in ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"] {
      let file = SourceFile("Sources/A.swift", "let a = 1\n// \(mark): later\n")
      let found = TidyRule.forbiddenWords.check(file).map(\.description)
      #expect(found == ["Sources/A.swift:2: the word \(mark)"])
    }
  }

  @Test func `A mark is found at the start and at the end of a line, and after a longer word`() {
    let mark = "X" + "XX"
    for line in [mark, "a \(mark)", "\(mark)X then \(mark)"] {
      #expect(TidyRule.holds(Substring(line), word: mark))
    }
  }

  @Test func `A longer word that contains a mark is accepted`() {
    let mark = "X" + "XX"
    for line in ["tmp.\(mark)\(mark)", "_\(mark)", "\(mark)1"] {
      #expect(!TidyRule.holds(Substring(line), word: mark))
    }
  }

  @Test
  func `A swallowed error is reported where samples are read and accepted elsewhere`() {
    let text = "let a = try" + "? read()\nlet b = try read()\n"
    for path in ["HealthStore/Store/A.swift", "SampleLog/Segment/A.swift"] {
      let found = TidyRule.swallowedErrors.check(SourceFile("Sources/\(path)", text))
      #expect(found.map(\.line) == [1])
    }
    for path in ["Sources/SampleLog/Commit/A.swift", "Tests/A/B.swift"] {
      #expect(TidyRule.swallowedErrors.check(SourceFile(path, text)).isEmpty)
    }
  }

  @Test func `A sleep is reported in a test and accepted elsewhere`() {
    for call in ["Task." + "sleep", "Thread." + "sleep", "u" + "sleep"] {
      let text = "try await \(call)(1)\n"
      #expect(TidyRule.sleeping.check(SourceFile("Tests/A/B.swift", text)).count == 1)
      #expect(TidyRule.sleeping.check(SourceFile("Sources/A/B.swift", text)).isEmpty)
    }
  }
}
