import Foundation
import Testing

extension TestFolder {
  /// Makes a store from the export in a folder of Tests/Fixtures/cases.
  func makeStore(ofCase name: String, subject: String = "") throws -> String {
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/cases/\(name)")
    return try makeStore(importing: fixtures.path, subject: subject)
  }

  /// Makes a store from an export with the given elements.
  func makeStore(elements: String, subject: String = "") throws -> String {
    let file = try write(
      "\(UUID()).xml",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <HealthData locale="en_GB">
       <ExportDate value="2026-09-08 08:55:02 +0100"/>
      \(elements)
      </HealthData>
      """)
    return try makeStore(importing: file, subject: subject)
  }

  private func makeStore(importing path: String, subject: String) throws -> String {
    let store = store()
    let run = try ToolProcess.run(["import", path, "--store", store, "--subject", subject])
    #expect(run.status == 0, "\(run.error)")
    return store
  }
}

extension ToolProcess {
  /// Runs the program, requires status 0 and returns its output.
  static func output(_ arguments: String...) throws -> String {
    let run = try run(arguments)
    #expect(run.status == 0, "\(run.error)")
    return run.out
  }

  /// Runs a query on the SQL export of a store and returns SQLite's output.
  static func ask(_ question: String, ofExport store: String, _ more: String = "") throws
    -> [String]
  {
    let run = try shell(
      "set -o pipefail; \"$tool\" export --store \"$store\" --all-subjects --format sql \(more) "
        + "> \"$store.sql\" && sqlite3 -batch \"$store.db\" < \"$store.sql\" "
        + "&& sqlite3 -batch \"$store.db\" \"$question\"",
      ["store": store, "question": question])
    #expect(run.status == 0, "\(run.error)")
    return run.lines
  }
}
