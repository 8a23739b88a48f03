import BenchmarkKit
import Testing

/// SQLite knows what a query must find; our store has to find the same, in the same order, and so
/// has DuckDB.
@Suite("Our store, SQLite and DuckDB")
struct DifferentialTests {
  /// Every life asks 40 times 55 questions: 52,800 in all.
  private static let lives: [UInt64] = Array(1...24)
  private static let changes = 40
  /// Of how many people there are samples.
  private static let crowds = [1, 3, 60]

  @Test(
    "DuckDB is among those who answer",
    .enabled(
      if: DuckDBLibrary.problem == nil,
      "Only SQLite was asked: \(DuckDBLibrary.problem ?? ""). \(DuckDBLibrary.advice)"))
  func asked() throws {
    #expect(try Twins(asksDuckDB: true).duckdb != nil)
  }

  @Test("All answer every random question alike, whatever happened before", arguments: lives)
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
