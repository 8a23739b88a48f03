import Testing

@Suite struct RepositoryTests {
  private let repository = Repository()

  @Test func `Every file passes every rule`() throws {
    let files = try repository.files()
    for rule in TidyRule.all {
      let findings = files.flatMap { rule.check($0) }.map(\.description)
      #expect(findings.isEmpty, "\(rule.name):\n\(findings.joined(separator: "\n"))")
    }
  }

  @Test func `No file of the engine names a type of a higher folder`() throws {
    let findings = TidyRule.folderOrder(try repository.files()).map(\.description)
    #expect(findings.isEmpty, "\(findings.joined(separator: "\n"))")
  }

  @Test func `The checked files include sources, tests, benchmarks and scripts`() throws {
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

  @Test func `The device half of a transfer uses only Apple's HealthKit declarations`() throws {
    let files = try repository.files()
    let list = try #require(files.first { $0.path == ".ci/healthkit-names.tsv" })
    let declared = Set(
      list.lines.compactMap { line in
        line.split(separator: "\t").last?.prefix { $0.isLetter || $0.isNumber }
      })
    #expect(declared.contains("HKAnchoredObjectQueryDescriptor"))
    let phone = files.filter { $0.isSwift && $0.path.hasPrefix("Sources/HealthTransfer/") }
    let used = Set(
      phone.flatMap { $0.code.flatMap { SwiftCode.names(in: $0) } }
        .filter { $0.hasPrefix("HK") })
    #expect(used.contains("HKAnchoredObjectQueryDescriptor"))
    #expect(used.subtracting(declared).isEmpty, "\(used.subtracting(declared).sorted())")
  }

  @Test func `The root directory contains only permitted entries`() throws {
    #expect(TidyRule.strayEntries(try repository.entries()).isEmpty)
  }
}
