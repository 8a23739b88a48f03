import Foundation
import Testing

@testable import HealthStore

/// Compares the sweep with the slow reference.
@Suite struct StatisticsHistoryTests {
  @Test(arguments: StatisticsHistory.zones, [0, 1])
  func `the sweep agrees with the reference around each change of the clock`(
    zone: String, change: Int
  ) throws {
    for seed in 0..<80 as Range<UInt64> {
      let history = try StatisticsHistory(seed: seed, zone: zone, change: change)
      try expectSame(history.merged(in: history.grid), history.reference(), "seed \(seed)")
    }
  }

  @Test func `one interval for all of time agrees with the reference`() throws {
    for seed in 100..<160 as Range<UInt64> {
      let history = try StatisticsHistory(seed: seed, zone: "Europe/Berlin", change: 0)
      let all = history.reference(boundaries: [-1e12, 1e12], firstIndex: 0)
      expectSame(history.merged(in: WholeTime()), all, "seed \(seed)")
    }
  }

  @Test func `more sources than a word has bits agree with the reference`() throws {
    for seed in 200..<204 as Range<UInt64> {
      let history = try StatisticsHistory(
        seed: seed, zone: "Australia/Lord_Howe", change: 1, sources: 130)
      try expectSame(history.merged(in: history.grid), history.reference(), "seed \(seed)")
    }
  }

  @Test func `the commit order of samples does not affect statistics`() throws {
    for seed in 300..<320 as Range<UInt64> {
      let history = try StatisticsHistory(seed: seed, zone: "America/New_York", change: 1)
      let backwards = StatisticsMerge.of(
        history.spans.reversed(), in: history.grid, style: history.style,
        options: StatisticsHistory.everything, sourceOfRank: history.sourceOfRank)
      expectSame(backwards, history.merged(in: history.grid), "seed \(seed)")
    }
  }

  private func expectSame(
    _ found: [StatisticsInterval], _ expected: [StatisticsInterval], _ name: String
  ) {
    #expect(found.map(\.index) == expected.map(\.index), "\(name)")
    #expect(found.map(\.count) == expected.map(\.count), "\(name)")
    for (one, other) in zip(found, expected) {
      expectSame(one.merged, other.merged, "\(name), interval \(one.index)")
      #expect(Set(one.bySource.keys) == Set(other.bySource.keys), "\(name)")
      for (source, values) in one.bySource {
        let others = other.bySource[source] ?? StatisticsValues()
        expectSame(values, others, "\(name), interval \(one.index), source \(source)")
      }
    }
  }

  private func expectSame(_ one: StatisticsValues, _ other: StatisticsValues, _ name: String) {
    #expect(one.minimum == other.minimum && one.maximum == other.maximum, "\(name)")
    #expect(one.mostRecent == other.mostRecent, "\(name)")
    let pairs = [
      (one.sum, other.sum), (one.average, other.average), (one.duration, other.duration),
    ]
    for (left, right) in pairs {
      #expect((left == nil) == (right == nil), "\(name)")
      guard let left, let right else { continue }
      let isClose = abs(left - right) <= 1e-9 * max(1, abs(left), abs(right))
      #expect(isClose, "\(name): \(left) is not \(right)")
    }
  }
}
