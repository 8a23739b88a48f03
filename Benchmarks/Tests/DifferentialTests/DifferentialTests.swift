import BenchmarkKit
import Testing

/// SQLite gives the expected result of each query.
///
/// Our store and DuckDB must return the same rows in the same order.
@Suite("Our store, SQLite and DuckDB")
struct DifferentialTests {
  /// Each seed runs 40 rounds of 55 queries: 52,800 in total.
  private static let lives: [UInt64] = Array(1...24)
  private static let changes = 40
  /// The numbers of subjects.
  private static let crowds = [1, 3, 60]

  @Test(
    "DuckDB takes part",
    .enabled(
      if: DuckDBLibrary.problem == nil,
      "Only SQLite was asked: \(DuckDBLibrary.problem ?? ""). \(DuckDBLibrary.advice)"))
  func asked() throws {
    #expect(try Twins(asksDuckDB: true).duckdb != nil)
  }

  @Test("All return the same rows for every random query after any changes", arguments: lives)
  func answers(seed: UInt64) async throws {
    var random = Dice(seed: seed)
    // DuckDB takes a millisecond to plan a query, SQLite some microseconds.
    let twins = try Twins(
      subjectCount: Self.crowds[Int(seed / 6) % 3], asksDuckDB: seed.isMultiple(of: 6))
    for _ in 0..<Self.changes {
      switch random.below(10) {
      case 0...4: try await twins.save(1 + random.below(80), &random)
      case 5, 6: try twins.delete(1 + random.below(25), &random)
      case 7: try twins.seal()
      case 8: try twins.compact()
      default: try twins.reopen()
      }
      for _ in 0..<25 { try await twins.compareObjects(&random) }
      for _ in 0..<15 { try twins.compareRows(&random) }
      for _ in 0..<5 { try twins.compareAggregates(&random) }
      for _ in 0..<10 { try twins.compareChanges(&random) }
    }
  }
}
