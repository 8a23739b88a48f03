import SampleLogSimulation
import Testing

/// Damage at rest is answered exactly or named, in a small form; `Simulate` flips every bit.
@Suite struct RotTests {
  private static func store() throws -> RotStore {
    try RotStore(seed: 5, segments: 2, rows: 6, commits: 5)
  }

  @Test func `A flipped bit is named or changes no answer`() throws {
    let store = try Self.store()
    var checker = RotChecker(store)
    for file in store.image.entries.indices {
      for (number, rot) in Rot.flips(store, file: file).enumerated() where number % 13 == 0 {
        try checker.check(rot)
      }
    }
    #expect(checker.counts.flips > 1000)
  }

  @Test func `A lost, misdirected or cut sector is named or changes no answer`() throws {
    let store = try Self.store()
    var checker = RotChecker(store)
    for file in store.image.entries.indices {
      for rot in Rot.others(store, file: file) { try checker.check(rot) }
    }
    #expect(checker.counts.otherRot > 50)
  }
}
