import Foundation
import Testing

/// Every test that Docs/healthkit-conformance.md names exists.
@Suite struct ConformanceTableTests {
  private let files: [SourceFile]
  private let table: String

  init() throws {
    let all = try Repository().files()
    files = all.filter { $0.isSwift && $0.path.hasPrefix("Tests/") }
    table = try #require(all.first { $0.path == "Docs/healthkit-conformance.md" }).text
  }

  /// Returns the tests that a line names: a suite in backticks and a test in quotation marks.
  private func tests(in line: Substring) -> [(suite: String, test: String)] {
    line.matches(of: /`(\w+Tests)` "([^"]+)"/).map { (String($0.1), String($0.2)) }
  }

  @Test func `Each test that the table names is in its suite`() {
    for line in table.split(separator: "\n") {
      for (suite, test) in tests(in: line) {
        let isThere = files.contains {
          $0.contains("struct \(suite)") && $0.contains("func `\(test)`")
        }
        #expect(isThere, "\(suite): \(test)")
      }
    }
  }

  @Test func `Each sentence has a test or the reason for its absence`() {
    let rows = table.split(separator: "\n").filter {
      $0.hasPrefix("| ") && !$0.hasPrefix("| --- ") && !$0.hasPrefix("| sentence ")
    }
    #expect(rows.count > 100)
    for row in rows where tests(in: row).isEmpty { #expect(row.contains("no test:"), "\(row)") }
  }
}
