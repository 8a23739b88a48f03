import SampleLogSimulation
import Testing

/// A store with damage at rest answers correctly or reports the damage; a small form of `make
/// images`, which flips every bit.
@Suite struct RotTests {
  private static func store() throws -> RotStore {
    try RotStore(RotStore.Plan(seed: 5, segments: 2, rows: 6, commits: 5))
  }

  @Test func `A flipped bit is reported or changes no answer`() throws {
    let store = try Self.store()
    var checker = RotChecker(store)
    let step = Trials.count(13, quick: 41)
    for file in store.image.entries.indices {
      for (number, rot) in Rot.flips(store, file: file).enumerated() where number % step == 0 {
        try checker.check(rot)
      }
    }
    #expect(checker.counts.flips > 300)
  }

  @Test func `A lost, misdirected or truncated sector is reported or changes no answer`() throws {
    let store = try Self.store()
    var checker = RotChecker(store)
    for file in store.image.entries.indices {
      for rot in Rot.others(store, file: file) { try checker.check(rot) }
    }
    #expect(checker.counts.otherRot > 50)
  }

  /// Damage that a former version answered wrongly.
  @Test(arguments: [
    // A header in the wrong place made the scan skip the frame that proved its neighbours
    // acknowledged.
    ("77000/2/12/7", "copy/1/3/2")
  ])
  func `Damage that once gave wrong answers is handled`(store: String, rot: String) throws {
    var checker = RotChecker(try RotStore(#require(RotStore.Plan(store))))
    try checker.check(#require(Rot(rot)))
  }

  @Test func `Damage survives a round trip through its text`() throws {
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
  func `A text that is not a damage is rejected`(text: String) {
    #expect(Rot(text) == nil)
  }
}
