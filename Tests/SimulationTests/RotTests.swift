import SampleLogSimulation
import Testing

/// Damage at rest is answered exactly or named, in a small form; `make images` flips every bit.
@Suite struct RotTests {
  private static func store() throws -> RotStore {
    try RotStore(RotStore.Plan(seed: 5, segments: 2, rows: 6, commits: 5))
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

  /// Damage that was answered wrongly once.
  @Test(arguments: [
    // A header in the wrong place led past the good frame that proved its neighbours acknowledged.
    ("77000/2/12/7", "copy/1/3/2")
  ])
  func `What was answered wrongly once is not`(store: String, rot: String) throws {
    var checker = RotChecker(try RotStore(#require(RotStore.Plan(store))))
    try checker.check(#require(Rot(rot)))
  }

  @Test func `Damage's text gives the damage back`() throws {
    let store = try Self.store()
    for file in store.image.entries.indices {
      for rot in Rot.others(store, file: file) + [.flip(file: file, bit: 17)] {
        #expect(Rot(rot.description) == rot)
        #expect(rot.fits(store))
      }
    }
    #expect(RotStore.Plan(store.plan.description) == store.plan)
  }

  @Test(arguments: ["", "flip/1", "zero/x/1", "cut/0/-1", "melt/0/1", "copy/0/1"])
  func `A text that is no damage is refused`(text: String) {
    #expect(Rot(text) == nil)
  }
}
