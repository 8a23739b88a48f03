import SampleLogSimulation
import Testing

@Suite struct FleetTests {
  @Test(.enabled(if: Trials.areThorough))
  func `A thousand phones upload all data through an unreliable network`() async throws {
    let fleet = try Fleet(phones: 1000, seed: 18)
    try await fleet.live(rounds: 4)
    try await fleet.settle()
    #expect(try await fleet.differing() == [])
    // Faults of every kind occurred.
    #expect(fleet.crashes > 4 && fleet.repeated > 100 && fleet.lost > 100 && fleet.deleted > 100)
  }

  @Test(arguments: 1...UInt64(Trials.count(5, quick: 3)))
  func `A few phones that send often upload all data`(seed: UInt64) async throws {
    let fleet = try Fleet(phones: 6, seed: seed)
    try await fleet.live(rounds: 40)
    try await fleet.settle()
    #expect(try await fleet.differing() == [])
  }
}
