import Testing

@Suite struct RepositoryTests {
  private let repository = Repository()

  @Test func `Every file keeps every rule`() throws {
    let files = try repository.files()
    for rule in TidyRule.all {
      let findings = files.flatMap { rule.check($0) }.map(\.description)
      #expect(findings.isEmpty, "\(rule.name):\n\(findings.joined(separator: "\n"))")
    }
  }

  @Test func `No file of the engine names a type of a folder above its own`() throws {
    let findings = TidyRule.folderOrder(try repository.files()).map(\.description)
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
  }

  @Test func `The files that are checked include sources, tests, benchmarks and scripts`() throws {
    let paths = Set(try repository.files().map(\.path))
    for path in [
      "Package.swift", "Makefile", ".ci/run", "Sources/CPlatform/crc32c.c",
      "Tests/TidyTests/RepositoryTests.swift", "Benchmarks/Package.swift",
    ] {
      #expect(paths.contains(path))
    }
    #expect(!paths.contains { $0.contains(".build/") })
  }

  @Test func `The median source file has at most 150 lines`() throws {
    let sources = try repository.files().filter { $0.isSwift && $0.path.hasPrefix("Sources/") }
    #expect(TidyRule.medianLength(sources) <= 150)
  }

  @Test func `Nothing stands at the top that belongs elsewhere`() throws {
    #expect(TidyRule.strayEntries(try repository.entries()).isEmpty)
  }
}
