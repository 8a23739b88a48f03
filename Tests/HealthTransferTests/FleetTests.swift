import SampleLogSimulation
import Testing

@Suite struct FleetTests {
  @Test(.enabled(if: Trials.areThorough))
  func `A thousand phones end with everybody's data, whatever the network does`() async throws {
    let fleet = try Fleet(phones: 1000, seed: 18)
    try await fleet.live(rounds: 4)
    try await fleet.settle()
    #expect(try await fleet.differing() == [])
    // It was no fair weather.
    #expect(fleet.crashes > 4 && fleet.repeated > 100 && fleet.lost > 100 && fleet.deleted > 100)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `Few phones that send often end with everybody's data`(seed: UInt64) async throws {
    let fleet = try Fleet(phones: 6, seed: seed)
    try await fleet.live(rounds: 40)
    try await fleet.settle()
    #expect(try await fleet.differing() == [])
  }
}
