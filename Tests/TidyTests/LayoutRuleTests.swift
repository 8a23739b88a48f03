import Testing

@Suite struct LayoutRuleTests {
  private let wide = String(repeating: "x", count: 101)

  @Test func `A line of 101 columns is reported, one of 100 is accepted`() {
    let file = SourceFile("Sources/A/B.swift", "let a = 1\n\(wide)\n\(wide.dropLast())\n")
    #expect(TidyRule.lineLength.check(file).map(\.line) == [2])
    #expect(TidyRule.lineLength.check(SourceFile("Sources/A/b.c", wide)).count == 1)
    #expect(TidyRule.lineLength.check(SourceFile("Makefile", wide)).count == 1)
  }

  @Test func `Columns are characters, not bytes`() {
    let file = SourceFile("A.swift", String(repeating: "→", count: 100))
    #expect(TidyRule.lineLength.check(file).isEmpty)
  }

  @Test func `A long address is accepted alone on its line, and reported among words`() {
    let address = "https://example.org/" + wide
    #expect(TidyRule.lineLength.check(SourceFile("A.swift", "  /// \(address)\n")).isEmpty)
    #expect(TidyRule.lineLength.check(SourceFile("A.swift", "// see \(address)\n")).count == 1)
  }

  @Test func `Prose has no maximum width`() {
    #expect(TidyRule.lineLength.check(SourceFile("README.md", wide)).isEmpty)
  }

  @Test(arguments: ["Sources", "Benchmarks"])
  func `A source of 401 lines is reported, one of 400 is accepted`(folder: String) {
    let lines = String(repeating: "\n", count: 400)
    #expect(TidyRule.fileLength.check(SourceFile("\(folder)/A.swift", lines)).isEmpty)
    let findings = TidyRule.fileLength.check(SourceFile("\(folder)/A.swift", lines + "\n"))
    #expect(findings.map(\.description) == ["\(folder)/A.swift: 401 lines, 400 are allowed"])
  }

  @Test func `A test of 601 lines is reported, one of 600 is accepted`() {
    let lines = String(repeating: "\n", count: 600)
    #expect(TidyRule.fileLength.check(SourceFile("Tests/A.swift", lines)).isEmpty)
    #expect(TidyRule.fileLength.check(SourceFile("Tests/A.swift", lines + "\n")).count == 1)
  }

  @Test func `A tab is reported in code and accepted in a Makefile`() {
    #expect(TidyRule.spaces.check(SourceFile("A.swift", "a\n\tb\n")).map(\.line) == [2])
    #expect(TidyRule.spaces.check(SourceFile("Makefile", "a:\n\tb\n")).isEmpty)
  }

  @Test func `A space at the end of a line is reported`() {
    #expect(TidyRule.spaces.check(SourceFile("A.swift", "a\nb \n")).map(\.line) == [2])
    #expect(TidyRule.spaces.check(SourceFile(".ci/run", "a \n")).map(\.line) == [1])
  }

  @Test func `A missing final newline and a second one are reported`() {
    #expect(TidyRule.finalNewline.check(SourceFile("A.swift", "a")).count == 1)
    #expect(TidyRule.finalNewline.check(SourceFile("A.swift", "a\n\n")).count == 1)
    #expect(TidyRule.finalNewline.check(SourceFile("A.swift", "a\n")).isEmpty)
  }

  @Test func `The median is the length of the middle file`() {
    let files = [9, 1, 200].map { SourceFile("A.swift", String(repeating: "\n", count: $0)) }
    #expect(TidyRule.medianLength(files) == 9)
    #expect(TidyRule.medianLength([]) == 0)
  }

  @Test func `A stray file in the root directory is reported`() {
    #expect(TidyRule.strayEntries(["Sources", "notes.txt", "LICENSE"]) == ["notes.txt"])
  }
}
