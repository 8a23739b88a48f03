import Foundation
import HealthStore

// Steps of the demonstration: queries and statistics.
extension Demo {
  /// Prints the latest heart rates of the last day that has any.
  mutating func showLatest() async throws {
    try heading("A query: the latest heart rates of the last day")
    let newest = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
    ).result(for: store)
    guard let last = newest.first else { return try say("  There is no heart rate.") }
    let day = Self.startOfDay(last.startDate)
    let predicate = HKQuery.predicateForSamples(
      withStart: day, end: day + 86_400, options: .strictStartDate)
    let clock = ContinuousClock.now
    let samples = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate, predicate: predicate)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 5
    ).result(for: store)
    let seconds = ProgressLine.seconds(.now - clock)
    var table = TextTable([
      ("TIME (UTC)", .left), ("HEART RATE", .right), ("SOURCE", .left), ("DEVICE", .left),
    ])
    for sample in samples {
      table.add([
        UTCText.short(sample.startDate.timeIntervalSinceReferenceDate),
        Figures.short(sample.quantity.doubleValue(for: beatsPerMinute)),
        sample.sourceRevision.source.name, sample.device?.name ?? "",
      ])
    }
    try say(table)
    try say("  \(samples.count) samples in \(Figures.time(seconds))")
  }

  /// Prints the daily step counts of the last seven days that have any.
  mutating func showWeekOfSteps() async throws {
    try heading("A statistic: steps per day")
    let steps = HKQuantityType(.stepCount)
    let newest = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
    ).result(for: store)
    guard let last = newest.first else { return try say("  There are no steps.") }
    let end = Self.startOfDay(last.startDate) + 86_400
    let predicate = HKQuery.predicateForSamples(
      withStart: end - 7 * 86_400, end: end, options: .strictStartDate)
    let clock = ContinuousClock.now
    let samples = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps, predicate: predicate)], sortDescriptors: []
    ).result(for: store)
    var days: [Date: Double] = [:]
    for sample in samples {
      days[Self.startOfDay(sample.startDate), default: 0] +=
        sample.quantity.doubleValue(for: .count())
    }
    let seconds = ProgressLine.seconds(.now - clock)
    let most = days.values.max() ?? 1
    for (day, sum) in days.sorted(by: { $0.key < $1.key }) {
      let bar = String(repeating: "#", count: Int(sum / max(most, 1) * 40))
      try say("  \(UTCText.day(day))  \(Figures.count(Int(sum)).paddedLeft(to: 7))  \(bar)")
    }
    try say("  \(Figures.count(samples.count)) samples summed in \(Figures.time(seconds))")
  }

  private static func startOfDay(_ date: Date) -> Date {
    let seconds = (date.timeIntervalSince1970 / 86_400).rounded(.down) * 86_400
    return Date(timeIntervalSince1970: seconds)
  }
}
