import Foundation
import Testing

@testable import HealthStore

@Suite struct StatisticsInputTests {
  private static let walked = HKQuantityType(.distanceWalkingRunning)

  private func distance(
    _ value: Double, _ unit: String, from start: Double, to end: Double, bundle: String = "app",
    product: String? = nil, entered: Bool = false
  ) throws -> HKQuantitySample {
    try HKQuantitySample.validated(
      type: Self.walked, quantity: HKQuantity(unit: try HKUnit.parse(unit), doubleValue: value),
      start: Make.date(start), end: Make.date(end),
      metadata: entered ? [HKMetadataKeyWasUserEntered: true] : nil,
      sourceRevision: HKSourceRevision(
        source: HKSource(name: bundle, bundleIdentifier: bundle), version: nil,
        productType: product, operatingSystemVersion: HKSourceRevisionAnyOperatingSystem))
  }

  private func sum(_ samples: [HKQuantitySample]) throws -> Double? {
    try StatisticsInput(samples, of: Self.walked).statistics(.cumulativeSum)?.sumQuantity()?
      .doubleValue(for: .meter())
  }

  @Test func `samples in several units are converted to that of the first`() throws {
    let samples = [
      try distance(2, "km", from: 0, to: 10), try distance(500, "m", from: 10, to: 20),
    ]
    #expect(try sum(samples) == 2_500)
    #expect(try StatisticsInput(samples, of: Self.walked).unit.unitString == "km")
    #expect(try StatisticsInput([], of: Self.walked).unit == Self.walked.canonicalUnit)
  }

  @Test func `the source that is believed is the user, the watch, the phone, then the app`() throws
  {
    let samples = [
      try distance(8, "m", from: 0, to: 10, bundle: "a"),
      try distance(4, "m", from: 0, to: 10, bundle: "b", product: "iPhone15,2"),
      try distance(2, "m", from: 0, to: 10, bundle: "c", product: "Watch7,1"),
      try distance(1, "m", from: 0, to: 10, bundle: "d", entered: true),
    ]
    for (most, expected) in [(1, 8.0), (2, 4), (3, 2), (4, 1)] {
      #expect(try sum(Array(samples.prefix(most))) == expected)
    }
    let order = SourcePriority(bundleIdentifiers: ["b"])
    let input = try StatisticsInput(samples, of: Self.walked, by: order)
    #expect(
      input.statistics(.cumulativeSum)?.sumQuantity() == HKQuantity(unit: .meter(), doubleValue: 4))
  }

  @Test func `single statistics reach from the first start to the last end`() throws {
    let samples = [
      try distance(1, "m", from: 50, to: 60), try distance(2, "m", from: 10, to: 90, bundle: "b"),
    ]
    let input = try StatisticsInput(samples, of: Self.walked)
    let found = try #require(input.statistics([.cumulativeSum, .separateBySource]))
    #expect(found.startDate == Make.date(10) && found.endDate == Make.date(90))
    #expect(found.sources?.map(\.bundleIdentifier) == ["app", "b"])
    let source = try #require(found.sources?.last)
    #expect(found.sumQuantity(for: source)?.doubleValue(for: .meter()) == 2)
    #expect(input.statistics(.cumulativeSum)?.sources == nil)
    #expect(try StatisticsInput([], of: Self.walked).statistics(.cumulativeSum) == nil)
  }

  @Test func `a sample across midnight is divided between the days`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let midnight = calendar.startOfDay(for: Make.date(700_000_000))
      .timeIntervalSinceReferenceDate
    let samples = [try distance(100, "m", from: midnight - 180, to: midnight + 120)]
    let grid = StatisticsGrid(
      anchor: Make.date(midnight), components: DateComponents(day: 1), calendar: calendar)
    let found = try StatisticsInput(samples, of: Self.walked).collection(grid, .cumulativeSum)
    let sums = found.statistics().map { $0.sumQuantity()?.doubleValue(for: .meter()) }
    #expect(sums == [60, 40])
    #expect(found.statistics().map(\.startDate).last == Make.date(midnight))
  }

  @Test func `heart rates come back as they were saved, levels as decibels`() throws {
    let beats = try StatisticsInput([Make.heartRate(72.1)], of: Make.heartRate)
    let average = beats.statistics(.discreteAverage)?.averageQuantity()
    #expect(average?.doubleValue(for: Make.bpm) == 72.1)
    let noise = HKQuantityType(.environmentalAudioExposure)
    let level = try HKQuantitySample.validated(
      type: noise, quantity: HKQuantity(unit: .pascal(), doubleValue: 0.2), start: Make.date(0),
      end: Make.date(1))
    let input = try StatisticsInput([level], of: noise)
    let decibels = input.statistics(.discreteAverage)?.averageQuantity()?
      .doubleValue(for: .decibelAWeightedSoundPressureLevel())
    #expect(decibels.map { abs($0 - 80) < 1e-9 } == true)
  }
}
