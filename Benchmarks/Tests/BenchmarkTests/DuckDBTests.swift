import BenchmarkKit
import Testing

@Suite("DuckDB")
struct DuckDBTests {
  @Test(
    "takes part by default if its library is installed",
    .enabled(
      if: DuckDBLibrary.problem == nil,
      "No test asked DuckDB: \(DuckDBLibrary.problem ?? ""). \(DuckDBLibrary.advice)"))
  func present() throws {
    #expect(try Options(["--against", "duckdb"]).peers.map(\.name) == ["duckdb"])
    #expect(try Options([]).peers.contains { $0.name == "duckdb" })
  }

  @Test(
    "is refused with advice if its library is missing",
    .enabled(if: DuckDBLibrary.problem != nil, "DuckDB is here, and the tests asked it."))
  func absent() throws {
    #expect(try !Options([]).peers.contains { $0.name == "duckdb" })
    let error = try #require(throws: BenchmarkError.self) {
      try Options(["--against", "duckdb"])
    }
    #expect("\(error)".contains("DUCKDB_SO"))
  }
}
