import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// The path of a Python interpreter with the libraries, or nil if `TABLE_PYTHON` is not set.
private let python = ProcessInfo.processInfo.environment["TABLE_PYTHON"]

/// pyarrow, DuckDB and Polars read the same rows from a file as the readers of these tests.
///
/// `make parquet-test` installs the libraries and sets the path of the Python interpreter.
@Suite(.enabled(if: python != nil, "make parquet-test"))
struct TableReadersTests {
  /// Exports a store in row groups of a given size and compares the rows that each library reads.
  ///
  /// Returns the size of the file, and of a file that pyarrow compresses with zstd.
  @discardableResult
  private func compare(
    _ folder: TestFolder, _ store: String, _ format: String, rowLimit: Int
  ) throws -> (ours: Int, zstd: Int) {
    let path = folder.store("samples.\(format)")
    let limits = SampleTable.Limits(rowCount: rowLimit)
    let file = try folder.bytes(of: store, format, limits)
    try Data(file).write(to: URL(fileURLWithPath: path))
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".ci/tables.py")
    let run = try ToolProcess.shell(
      "\"$python\" \"$script\" \"$file\"",
      ["python": try #require(python), "script": script.path, "file": path])
    #expect(run.status == 0, "\(run.error)")
    let expected = try folder.table(of: store, format, limits).reader.printedRows()
    let answers = try run.objects()
    #expect(answers.map { $0["reader"] as? String } == ["pyarrow", "duckdb", "polars"])
    for answer in answers {
      #expect(answer["rows"] as? NSArray == expected, "\(answer["reader"] ?? "")")
      // Readers that skip row groups must find the same rows.
      let counts = try #require(answer["counts"] as? [Int])
      #expect(counts == answers.first?["counts"] as? [Int])
      #expect(expected.count == 0 || counts.allSatisfy { $0 > 0 })
    }
    return (file.count, try #require(answers.first?["size"] as? Int))
  }

  @Test(arguments: TableTests.formats, [3, 1000])
  func `Every family of sample`(format: String, rowLimit: Int) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    try compare(folder, path, format, rowLimit: rowLimit)
  }

  @Test(arguments: TableTests.formats, [3, 1000])
  func `Dates and values of every kind`(format: String, rowLimit: Int) throws {
    let folder = try TestFolder()
    let samples = TableTests.unusualDates.enumerated().map { index, date in
      (date, date + 0.3, TableTests.unusualValues[index % TableTests.unusualValues.count])
    }
    let path = try folder.makeStore(samples)
    try compare(folder, path, format, rowLimit: rowLimit)
  }

  @Test(arguments: TableTests.formats)
  func `Many samples, in every encoding`(format: String) throws {
    let folder = try TestFolder()
    let samples = (0..<20_000).map { index -> (Double, Double, Double) in
      let number = Double(index)
      return (number * 5 + Double(index % 997) / 1000, number * 6, number * 0.37)
    }
    let path = try folder.makeStore(samples)
    let sizes = try compare(folder, path, format, rowLimit: 6000)
    if format == "parquet" { #expect(sizes.ours <= sizes.zstd) }
  }

  @Test(arguments: TableTests.formats)
  func `A store without samples`(format: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [])
    try compare(folder, path, format, rowLimit: 10)
  }
}
