import Foundation
import Testing

@testable import HealthStore

@Suite struct StatisticsCollectionTests {
  private static let sources = [
    HKSource(name: "Watch", bundleIdentifier: "watch"),
    HKSource(name: "Phone", bundleIdentifier: "phone"),
  ]

  /// Hours from the reference date.
  ///
  /// The second and fourth have samples.
  private func collection(
    isSeparate: Bool = false, isEmpty: Bool = false, covered: ClosedRange<Int>? = nil
  ) -> HKStatisticsCollection {
    let grid = StatisticsGrid(
      anchor: Make.date(0), components: DateComponents(hour: 1),
      calendar: Calendar(identifier: .gregorian))
    let spans = [
      StatisticsSpan(start: 3_700, end: 3_800, value: 5, rank: 0, sequence: 1),
      StatisticsSpan(start: 11_000, end: 11_000, value: 3, rank: 1, sequence: 2),
    ]
    var options: HKStatisticsOptions = .cumulativeSum
    if isSeparate { options.insert(.separateBySource) }
    let intervals = StatisticsMerge.of(
      isEmpty ? [] : spans, in: grid, style: .cumulative, options: options, sourceOfRank: [0, 1])
    return HKStatisticsCollection(
      Make.steps, unit: .count(), grid: grid,
      table: StatisticsTable(intervals, sources: Self.sources), isSeparate: isSeparate,
      covered: covered)
  }

  private func enumerated(
    _ collection: HKStatisticsCollection, from start: Double, to end: Double, most: Int = 100
  ) -> [(start: Double, sum: Double?)] {
    var found: [(Double, Double?)] = []
    collection.enumerateStatistics(from: Make.date(start), to: Make.date(end)) { statistics, stop in
      let sum = statistics.sumQuantity()?.doubleValue(for: .count())
      found.append((statistics.startDate.timeIntervalSinceReferenceDate, sum))
      if found.count == most { stop.pointee = true }
    }
    return found
  }

  @Test func `statistics are those of populated intervals, in order of time`() {
    let found = collection().statistics()
    #expect(found.map(\.startDate) == [Make.date(3_600), Make.date(10_800)])
    #expect(found.map(\.endDate) == [Make.date(7_200), Make.date(14_400)])
    #expect(found.map { $0.sumQuantity()?.doubleValue(for: .count()) } == [5, 3])
  }

  @Test func `the statistics for a date are those of its interval`() throws {
    let collection = collection()
    for time in [3_600, 3_750, 7_199.5] {
      let found = try #require(collection.statistics(for: Make.date(time)))
      #expect(found.sumQuantity()?.doubleValue(for: .count()) == 5)
    }
  }

  @Test
  func `an interval without samples has nil quantities inside the range and no statistics outside`()
    throws
  {
    let empty = try #require(collection().statistics(for: Make.date(7_200)))
    #expect(empty.startDate == Make.date(7_200) && empty.endDate == Make.date(10_800))
    #expect(empty.sumQuantity() == nil && empty.sources == nil)
    for time in [0, 3_599, 14_400, -1e9, 1e9] {
      #expect(collection().statistics(for: Make.date(time)) == nil)
    }
    #expect(collection(isEmpty: true).statistics(for: Make.date(0)) == nil)
    #expect(collection(isEmpty: true, covered: 0...1).statistics(for: Make.date(0)) != nil)
    #expect(collection(covered: 2...9).statistics(for: Make.date(9.5 * 3_600)) != nil)
    #expect(collection(covered: 2...9).statistics(for: Make.date(3_600)) != nil)
  }

  @Test func `an enumeration has every interval from the first date's through the last's`() {
    let found = enumerated(collection(), from: 100, to: 14_400)
    #expect(found.map(\.start) == [0, 3_600, 7_200, 10_800, 14_400])
    #expect(found.map(\.sum) == [nil, 5, nil, 3, nil])
    #expect(enumerated(collection(), from: 5, to: 5).count == 1)
    #expect(enumerated(collection(), from: 6, to: 5).isEmpty)
  }

  @Test func `an enumeration of all of time ends when the block stops it`() {
    let ages = Date.distantFuture.timeIntervalSinceReferenceDate
    #expect(enumerated(collection(), from: -ages, to: ages, most: 3).count == 3)
  }

  @Test func `sources are present only on request`() {
    #expect(collection().sources().isEmpty)
    let separate = collection(isSeparate: true)
    #expect(separate.sources() == Set(Self.sources))
    #expect(separate.statistics().map(\.sources) == [[Self.sources[0]], [Self.sources[1]]])
    #expect(separate.statistics(for: Make.date(7_200))?.sources == [])
  }
}
