import Testing

@Suite("The repository")
struct RepositoryTests {
  private let repository = Repository()

  @Test("Every file keeps every rule")
  func rules() throws {
    let files = try repository.files()
    for rule in TidyRule.all {
      let findings = files.flatMap { rule.check($0) }.map(\.description)
      #expect(findings.isEmpty, "\(rule.name):\n\(findings.joined(separator: "\n"))")
    }
  }

  @Test("No file of the engine names a type of a folder above its own")
  func folders() throws {
    let findings = TidyRule.folderOrder(try repository.files()).map(\.description)
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
  }

  @Test("The files that are checked include sources, tests, benchmarks and scripts")
  func coverage() throws {
    let paths = Set(try repository.files().map(\.path))
    for path in [
      "Package.swift", "Makefile", ".ci/run", "Sources/CPlatform/crc32c.c",
      "Tests/TidyTests/RepositoryTests.swift", "Benchmarks/Package.swift",
    ] {
      #expect(paths.contains(path))
    }
    #expect(!paths.contains { $0.contains(".build/") })
  }

  @Test("The median source file has at most 150 lines")
  func median() throws {
    let sources = try repository.files().filter { $0.isSwift && $0.path.hasPrefix("Sources/") }
    #expect(TidyRule.medianLength(sources) <= 150)
  }

  @Test("Nothing stands at the top that belongs elsewhere")
  func topLevel() throws {
    #expect(TidyRule.strayEntries(try repository.entries()).isEmpty)
  }
}
