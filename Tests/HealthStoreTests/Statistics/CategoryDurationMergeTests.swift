import Foundation
import SampleLogSimulation
import Testing

@testable import HealthStore

/// The sweep of category durations, rule by rule and against the slow reference.
@Suite struct CategoryDurationMergeTests {
  private static let grid = StatisticsGrid(
    anchor: Date(timeIntervalSinceReferenceDate: 0), components: DateComponents(second: 100),
    calendar: Calendar(identifier: .gregorian))

  private func span(
    _ start: Double, _ end: Double, _ value: Double, rank: Int = 0
  ) -> StatisticsSpan {
    StatisticsSpan(start: start, end: end, value: value, rank: rank, sequence: 0)
  }

  private func durations(
    _ spans: [StatisticsSpan], in intervals: some StatisticsIntervals = Self.grid,
    sourceOfRank: [Int] = [0, 1, 2]
  ) -> [Int: [Int: Double]] {
    var merge = CategoryDurationMerge(intervals)
    for (rank, source) in sourceOfRank.enumerated() { merge.insertRank(rank, of: source) }
    for span in spans.sorted(by: { $0.start < $1.start }) { merge.add(span) }
    let found = merge.finish()
    #expect(found.map(\.index) == found.map(\.index).sorted())
    return Dictionary(uniqueKeysWithValues: found.map { ($0.index, $0.durations) })
  }

  @Test func `each value has the time covered by its samples, counted once`() {
    let night = [span(0, 40, 1), span(30, 60, 1), span(60, 70, 2), span(80, 90, 1)]
    #expect(durations(night) == [0: [1: 70, 2: 10]])
  }

  @Test func `samples of one source and different values count for each`() {
    #expect(durations([span(0, 90, 0), span(20, 50, 3)]) == [0: [0: 90, 3: 30]])
  }

  @Test func `the source of the highest priority wins for every value, and others fill the gaps`() {
    let night = [span(0, 90, 0, rank: 1), span(20, 50, 3, rank: 0), span(50, 60, 4, rank: 0)]
    #expect(durations(night) == [0: [0: 50, 3: 30, 4: 10]])
    let entered = [span(0, 90, 1, rank: 2), span(20, 50, 3, rank: 1), span(30, 40, 4, rank: 0)]
    #expect(durations(entered, sourceOfRank: [0, 1, 0]) == [0: [1: 70, 3: 20, 4: 10]])
  }

  @Test func `a sample across boundaries has a part in each interval`() {
    #expect(durations([span(90, 320, 5)]) == [0: [5: 10], 1: [5: 100], 2: [5: 100], 3: [5: 20]])
    #expect(durations([span(0, 100, 5), span(200, 300, 5)]) == [0: [5: 100], 2: [5: 100]])
  }

  @Test func `samples without duration or a known end count for nothing`() {
    var open = span(20, Date.distantFuture.timeIntervalSinceReferenceDate, 1)
    open.hasUnknownEnd = true
    #expect(durations([span(10, 10, 1), open]).isEmpty)
    #expect(durations([span(10, 10, 1), open, span(0, 50, 2, rank: 1)]) == [0: [2: 50]])
  }

  @Test(arguments: StatisticsHistory.zones, [0, 1])
  func `the sweep agrees with the reference around each change of the clock`(
    zone: String, change: Int
  ) throws {
    for seed in 400..<480 as Range<UInt64> {
      let history = try StatisticsHistory(seed: seed, zone: zone, change: change)
      let spans = history.spans.map { span in
        var span = span
        span.value = (span.value * 10).rounded().truncatingRemainder(dividingBy: 4)
        return span
      }
      let (boundaries, first) = try history.boundaries()
      let expected = CategoryDurationReference(
        boundaries: boundaries, firstIndex: first, sourceOfRank: history.sourceOfRank
      ).durations(spans)
      let found = durations(spans, in: history.grid, sourceOfRank: history.sourceOfRank)
      #expect(found.mapValues(Self.rounded) == expected.mapValues(Self.rounded), "seed \(seed)")
    }
  }

  /// Rounds to milliseconds, because pieces are added in another order.
  private static func rounded(_ durations: [Int: Double]) -> [Int: Int] {
    durations.mapValues { Int(($0 * 1_000).rounded()) }
  }
}
