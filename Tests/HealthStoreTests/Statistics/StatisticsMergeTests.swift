import Foundation
import Testing

@testable import HealthStore

/// Each rule of the merge in isolation, in intervals of 100 seconds from the reference date.
@Suite struct StatisticsMergeTests {
  private static let grid = StatisticsGrid(
    anchor: Date(timeIntervalSinceReferenceDate: 0), components: DateComponents(second: 100),
    calendar: Calendar(identifier: .gregorian))

  private func span(
    _ start: Double, _ end: Double, _ value: Double, rank: Int = 0, sequence: UInt64 = 0
  ) -> StatisticsSpan {
    StatisticsSpan(start: start, end: end, value: value, rank: rank, sequence: sequence)
  }

  private func openSpan(_ start: Double, _ value: Double, rank: Int = 0) -> StatisticsSpan {
    StatisticsSpan(
      start: start, end: Date.distantFuture.timeIntervalSinceReferenceDate, value: value,
      rank: rank, sequence: 0, hasUnknownEnd: true)
  }

  private func merged(
    _ spans: [StatisticsSpan], _ style: HKQuantityAggregationStyle = .cumulative,
    options: HKStatisticsOptions = StatisticsHistory.everything,
    sourceOfRank: [Int] = [0, 1, 2]
  ) -> [StatisticsInterval] {
    StatisticsMerge.of(
      spans, in: Self.grid, style: style, options: options, sourceOfRank: sourceOfRank)
  }

  private func sums(_ spans: [StatisticsSpan], sourceOfRank: [Int] = [0, 1, 2]) -> [Int: Double] {
    let pairs = merged(spans, sourceOfRank: sourceOfRank).map { ($0.index, $0.merged.sum ?? -1) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  @Test func `the source of the highest priority wins and others fill the gaps`() {
    #expect(sums([span(0, 40, 40, rank: 0), span(20, 80, 600, rank: 1)]) == [0: 440])
    #expect(sums([span(0, 90, 900, rank: 1), span(30, 60, 3, rank: 0)]) == [0: 603])
    #expect(sums([span(0, 90, 900, rank: 1), span(0, 90, 9, rank: 0)]) == [0: 9])
    let three = [span(0, 90, 90, rank: 2), span(30, 90, 600, rank: 1), span(60, 90, 3, rank: 0)]
    #expect(sums(three) == [0: 333])
  }

  @Test func `samples of one source add up, whatever their ranks`() {
    #expect(sums([span(0, 50, 5), span(10, 30, 2)]) == [0: 7])
    #expect(sums([span(0, 50, 5), span(0, 50, 5)]) == [0: 10])
    let ranks = [span(0, 50, 5, rank: 0), span(10, 30, 2, rank: 2), span(10, 30, 100, rank: 1)]
    #expect(sums(ranks, sourceOfRank: [0, 1, 0]) == [0: 7])
    #expect(sums(Array(ranks.dropFirst()), sourceOfRank: [0, 1, 0]) == [0: 100])
  }

  @Test func `adjacent spans do not displace one another`() {
    #expect(sums([span(0, 50, 5, rank: 0), span(50, 90, 4, rank: 1)]) == [0: 9])
    #expect(sums([span(0, 50, 5, rank: 1), span(50, 90, 4, rank: 0)]) == [0: 9])
  }

  @Test func `consecutive samples are displaced like one long sample`() {
    let low = [span(0, 30, 30, rank: 1), span(30, 60, 60, rank: 1), span(60, 150, 90, rank: 1)]
    #expect(sums(low + [span(20, 40, 1, rank: 0)]) == [0: 20 + 1 + 40 + 40, 1: 50])
    #expect(sums(low + [span(20, 60, 1, rank: 0)]) == [0: 20 + 1 + 40, 1: 50])
    #expect(sums(low + [span(10, 30, 1, rank: 0), span(30, 70, 2, rank: 0)]) == [0: 43, 1: 50])
    #expect(sums(low + [span(30, 30, 1, rank: 1)]) == [0: 131, 1: 50])
    let durations = merged(low).map(\.merged.duration)
    #expect(durations == [100, 50])
    #expect(merged(low).map { $0.bySource[1]?.duration } == [100, 50])
  }

  @Test func `a point on a boundary belongs to the later interval`() {
    #expect(sums([span(100, 100, 1), span(0, 0, 2), span(-100, -100, 4)]) == [-1: 4, 0: 2, 1: 1])
    let levels = merged([span(100, 100, 1)], .discreteArithmetic)
    #expect(levels.map(\.index) == [1])
  }

  @Test func `a span that ends on a boundary has no part in the later interval`() {
    #expect(sums([span(0, 100, 8)]) == [0: 8])
    #expect(merged([span(0, 100, 8)], .discreteArithmetic).map(\.index) == [0])
  }

  @Test func `a point inside a span of higher priority is dropped, at its end it is not`() {
    let high = span(20, 60, 10, rank: 0)
    #expect(sums([high, span(40, 40, 1, rank: 1)]) == [0: 10])
    #expect(sums([high, span(20, 20, 1, rank: 1)]) == [0: 10])
    #expect(sums([high, span(60, 60, 1, rank: 1)]) == [0: 11])
    #expect(sums([high, span(40, 40, 1, rank: 0)]) == [0: 11])
  }

  @Test func `a point of higher priority displaces points at its time and no span`() {
    let low = span(20, 60, 10, rank: 1)
    #expect(sums([low, span(40, 40, 1, rank: 0)]) == [0: 11])
    let points = [span(40, 40, 1, rank: 0), span(40, 40, 2, rank: 0), span(40, 40, 4, rank: 1)]
    #expect(sums([low] + points) == [0: 13])
    #expect(sums(points.reversed() + [low]) == [0: 13])
  }

  @Test func `a cumulative sample across a boundary counts in proportion`() {
    #expect(sums([span(60, 160, 100)]) == [0: 40, 1: 60])
    #expect(sums([span(-50, 250, 300)]) == [-1: 50, 0: 100, 1: 100, 2: 50])
    #expect(sums([span(60, 160, 100, rank: 1), span(0, 100, 7, rank: 0)]) == [0: 7, 1: 60])
  }

  @Test func `a discrete sample across a boundary counts in full in each interval`() {
    let found = merged([span(60, 160, 5), span(10, 10, 3), span(170, 170, 9)], .discreteArithmetic)
    #expect(found.map(\.merged.minimum) == [3, 5])
    #expect(found.map(\.merged.maximum) == [5, 9])
    #expect(found.map(\.merged.mostRecent?.value) == [5, 9])
    #expect(found.map(\.merged.average) == [4, 7])
  }

  @Test func `all discrete samples count, whatever their source`() {
    let spans = [span(0, 50, 2, rank: 0), span(10, 40, 8, rank: 1), span(20, 20, 5, rank: 2)]
    let found = merged(spans, .discreteArithmetic)
    #expect(found.map(\.merged.average) == [5])
    #expect(found.map(\.merged.minimum) == [2] && found.map(\.merged.maximum) == [8])
  }

  @Test func `a sample without a known end counts only in its first interval`() {
    let found = merged([openSpan(50, 7), span(60, 80, 1, rank: 1), span(250, 250, 2, rank: 1)])
    #expect(found.map(\.index) == [0, 2])
    #expect(found.map(\.merged.sum) == [8, 2])
    #expect(found.map(\.merged.duration) == [20, 0])
    #expect(found.first?.merged.mostRecent?.value == 7)
    let levels = merged([openSpan(50, 7), span(60, 60, 1)], .discreteTemporallyWeighted)
    #expect(levels.map(\.merged.average) == [4])
  }

  @Test func `an average over time is weighted by the seconds inside, a point by one`() {
    let found = merged(
      [span(90, 120, 60), span(30, 30, 120), span(130, 140, 90)], .discreteTemporallyWeighted)
    #expect(found.map(\.merged.average) == [720.0 / 11, 70])
  }

  @Test func `an average of levels is that of their powers`() throws {
    let found = merged(
      [span(0, 10, 60), span(10, 20, 80)], .discreteEquivalentContinuousLevel)
    let average = try #require(found.first?.merged.average)
    #expect(abs(average - 10 * log10((1e6 + 1e8) / 2)) < 1e-12)
    let loud = merged([span(0, 9, 9_000), span(0, 9, -9_000)], .discreteEquivalentContinuousLevel)
    let half = try #require(loud.first?.merged.average)
    #expect(abs(half - (9_000 - 10 * log10(2))) < 1e-9)
  }

  @Test func `an average of equal values is the value`() {
    for style in [
      HKQuantityAggregationStyle.discreteTemporallyWeighted, .discreteEquivalentContinuousLevel,
      .discreteArithmetic,
    ] {
      let spans = (0..<9).map { span(Double($0), Double($0) + 0.7, 72.1) }
      #expect(merged(spans, style).map(\.merged.average) == [72.1])
    }
  }

  @Test func `the most recent sample has the latest end, then start, then commit`() {
    func recent(_ spans: [StatisticsSpan]) -> Double? {
      merged(spans, .discreteArithmetic).first?.merged.mostRecent?.value
    }
    #expect(recent([span(0, 50, 1), span(10, 40, 2)]) == 1)
    #expect(recent([span(0, 50, 1), span(10, 50, 2)]) == 2)
    #expect(recent([span(0, 50, 1, sequence: 9), span(0, 50, 2, sequence: 8)]) == 1)
    let crossing = merged([span(50, 150, 3)]).map(\.merged.mostRecent)
    #expect(crossing == Array(repeating: .init(value: 3, start: 50, end: 150), count: 2))
  }

  @Test func `the duration is the time covered by samples, counted once`() {
    let spans = [
      span(0, 30, 1, rank: 0), span(20, 40, 1, rank: 1), span(60, 130, 1), span(50, 50, 1),
    ]
    let found = merged(spans)
    #expect(found.map(\.merged.duration) == [80, 30])
    #expect(found.map { $0.bySource[1]?.duration } == [20, nil])
  }

  @Test func `values by source ignore other sources, and the merged ones remain`() {
    let found = merged([span(0, 50, 5, rank: 0), span(0, 150, 30, rank: 1)])
    #expect(found.map(\.merged.sum) == [15, 10])
    #expect(found.map { $0.bySource[0]?.sum } == [5, nil])
    #expect(found.map { $0.bySource[1]?.sum } == [20, 10])
    let together = merged([span(0, 50, 5), span(0, 50, 3, rank: 1)], options: .cumulativeSum)
    #expect(together.map(\.bySource) == [[:]])
  }

  @Test func `only requested values are present`() {
    let spans = [span(0, 50, 5)]
    #expect(merged(spans, options: []).map(\.merged) == [StatisticsValues()])
    #expect(merged(spans, options: .cumulativeSum).map(\.merged) == [StatisticsValues(sum: 5)])
    let discrete: [(HKStatisticsOptions, StatisticsValues)] = [
      (.discreteAverage, StatisticsValues(average: 5)), (.duration, StatisticsValues(duration: 50)),
      (.discreteMin, StatisticsValues(minimum: 5)), (.discreteMax, StatisticsValues(maximum: 5)),
      (.mostRecent, StatisticsValues(mostRecent: .init(value: 5, start: 0, end: 50))),
    ]
    for (option, values) in discrete {
      #expect(merged(spans, .discreteArithmetic, options: option).map(\.merged) == [values])
    }
  }

  @Test func `an empty history has no intervals, and a gap has none either`() {
    #expect(merged([]).isEmpty)
    #expect(merged([span(0, 0, 1), span(1e9, 1e9, 2)]).map(\.index) == [0, 10_000_000])
  }

  @Test func `samples count in full in one interval for all of time`() {
    let found = StatisticsMerge.of(
      [span(60, 160, 100), span(1e9, 1e9, 2)], in: WholeTime(), style: .cumulative,
      options: [.cumulativeSum, .duration], sourceOfRank: [0])
    #expect(found.map(\.merged.sum) == [102] && found.map(\.merged.duration) == [100])
    #expect(found.map(\.count) == [2])
  }
}
