import Foundation
import Testing

@testable import HealthStore

@Suite struct StatisticsObjectTests {
  private static let watch = HKSource(name: "Watch", bundleIdentifier: "watch")
  private static let phone = HKSource(name: "Phone", bundleIdentifier: "phone")

  private static let values = StatisticsValues(
    sum: 10, average: 2, minimum: 1, maximum: 4,
    mostRecent: .init(value: 3, start: 50, end: 150), duration: 60)

  private func separate() -> HKStatistics {
    HKStatistics(
      Make.steps, from: Make.date(0), to: Make.date(100), unit: .count(), merged: Self.values,
      sources: [Self.watch, Self.phone],
      bySource: [
        Self.watch: StatisticsValues(sum: 7, duration: 20), Self.phone: StatisticsValues(sum: 5),
      ])
  }

  @Test func `each value is a quantity in the samples' unit, and a duration is in seconds`() {
    let statistics = separate()
    #expect(statistics.quantityType == Make.steps)
    #expect(statistics.startDate == Make.date(0) && statistics.endDate == Make.date(100))
    #expect(statistics.sumQuantity() == HKQuantity(unit: .count(), doubleValue: 10))
    #expect(statistics.averageQuantity() == HKQuantity(unit: .count(), doubleValue: 2))
    #expect(statistics.minimumQuantity() == HKQuantity(unit: .count(), doubleValue: 1))
    #expect(statistics.maximumQuantity() == HKQuantity(unit: .count(), doubleValue: 4))
    #expect(statistics.mostRecentQuantity() == HKQuantity(unit: .count(), doubleValue: 3))
    #expect(
      statistics.mostRecentQuantityDateInterval()
        == DateInterval(start: Make.date(50), end: Make.date(150)))
    #expect(statistics.duration()?.doubleValue(for: .minute()) == 1)
  }

  @Test func `values by source exist for every source with samples`() {
    let statistics = separate()
    let stranger = HKSource(name: "Other", bundleIdentifier: "other")
    #expect(statistics.sources == [Self.watch, Self.phone])
    #expect(statistics.sumQuantity(for: Self.watch)?.doubleValue(for: .count()) == 7)
    #expect(statistics.sumQuantity(for: Self.phone)?.doubleValue(for: .count()) == 5)
    #expect(statistics.sumQuantity(for: stranger) == nil)
    #expect(statistics.duration(for: Self.watch)?.doubleValue(for: .second()) == 20)
    #expect(statistics.duration(for: Self.phone) == nil)
    #expect(statistics.averageQuantity(for: Self.watch) == nil)
    #expect(statistics.minimumQuantity(for: Self.watch) == nil)
    #expect(statistics.maximumQuantity(for: Self.watch) == nil)
    #expect(statistics.mostRecentQuantity(for: Self.watch) == nil)
    #expect(statistics.mostRecentQuantityDateInterval(for: Self.watch) == nil)
  }

  @Test func `a value that was not requested is nil`() {
    let empty = HKStatistics(Make.steps, from: Make.date(0), to: Make.date(1), unit: .count())
    let quantities = [
      empty.sumQuantity(), empty.averageQuantity(), empty.minimumQuantity(),
      empty.maximumQuantity(), empty.mostRecentQuantity(), empty.duration(),
      empty.sumQuantity(for: Self.watch),
    ]
    #expect(quantities.allSatisfy { $0 == nil })
    #expect(empty.sources == nil && empty.mostRecentQuantityDateInterval() == nil)
  }

  @Test func `statistics survive an archive`() throws {
    let plain = HKStatistics(
      Make.heartRate, from: Make.date(0), to: Make.date(1), unit: Make.bpm,
      merged: StatisticsValues(average: 61.5))
    let none = HKStatistics(
      Make.heartRate, from: Make.date(0), to: Make.date(1), unit: Make.bpm, sources: [])
    for statistics in [separate(), plain, none] {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: statistics, requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKStatistics.self, from: data)
      #expect(read == statistics && read?.hash == statistics.hash)
      #expect(read?.sources == statistics.sources)
    }
    #expect(plain != none && plain.copy() as? HKStatistics === plain)
  }

  @Test(
    arguments: [
      (.stepCount, .discreteAverage, "discreteAverage"),
      (.stepCount, [.cumulativeSum, .discreteMin], "discreteMin"),
      (.stepCount, .discreteMax, "discreteMax"), (.heartRate, .cumulativeSum, "cumulativeSum"),
      (.bodyMass, [.cumulativeSum, .mostRecent], "cumulativeSum"),
      (.environmentalAudioExposure, .cumulativeSum, "cumulativeSum"),
    ] as [(HKQuantityTypeIdentifier, HKStatisticsOptions, String)])
  func `an option that the type does not allow is refused with a message`(
    identifier: HKQuantityTypeIdentifier, options: HKStatisticsOptions, name: String
  ) {
    let type = HKQuantityType(identifier)
    let error = HKStatisticsError.optionNotAllowed(type: identifier.rawValue, option: name)
    #expect(throws: error) { try options.validated(for: type) }
    #expect(error.description.contains(name) && error.description.hasSuffix("."))
  }

  @Test func `options that the type allows can be combined`() throws {
    let always: HKStatisticsOptions = [.separateBySource, .mostRecent, .duration]
    let sum = always.union(.cumulativeSum)
    let discrete = always.union([.discreteAverage, .discreteMin, .discreteMax])
    #expect(try sum.validated(for: Make.steps) == sum)
    #expect(try discrete.validated(for: Make.heartRate) == discrete)
    #expect(try HKStatisticsOptions().validated(for: Make.steps).isEmpty)
    discrete.trapUnlessAllowed(for: Make.heartRate)
  }

  @Test func `the options have the raw values of Apple's`() {
    let options: [HKStatisticsOptions] = [
      .separateBySource, .discreteAverage, .discreteMin, .discreteMax, .cumulativeSum,
      .mostRecent, .duration,
    ]
    #expect(options.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64])
    #expect(HKStatisticsOptions.discreteMostRecent == .mostRecent)
  }

  @Test func `the trap names the option and the type`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      HKStatisticsOptions.cumulativeSum.trapUnlessAllowed(for: HKQuantityType(.heartRate))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let sentence = "HKQuantityTypeIdentifierHeartRate cannot have the option cumulativeSum"
    #expect(!TrapMessages.arePrinted || text.contains(sentence))
  }
}
