import Testing

/// SQLite knows what a query must find; our store has to find the same, in the same order.
@Suite("Our store and SQLite")
struct DifferentialTests {
  /// Every life asks 40 times 55 questions: 52,800 in all.
  private static let lives: [UInt64] = Array(1...24)
  private static let changes = 40

  @Test("Both answer every random question alike, whatever happened before", arguments: lives)
  func answers(seed: UInt64) async throws {
    var random = Dice(seed: seed)
    let twins = try Twins()
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
