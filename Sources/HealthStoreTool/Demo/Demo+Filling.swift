import AppleHealthExport
import Foundation
import HealthStore
import SampleLog

// Steps of the demonstration: saving or importing data, and counting it.
extension Demo {
  /// Saves a synthetic month of data, as an app saves its measurements.
  mutating func fillWithMonth() async throws {
    try heading("A month of one person's data, saved with HKHealthStore.save")
    var month = MonthOfData()
    let samples = month.samples()
    var progress = ProgressLine(console.error)
    let batch = 1000
    for first in stride(from: 0, to: samples.count, by: batch) {
      try await store.save(Array(samples[first..<min(first + batch, samples.count)]))
      progress.show(fraction: Double(first) / Double(samples.count), count: first)
    }
    progress.clear()
    try say(
      "  \(Figures.count(samples.count)) samples, \(batch) a save, each save durable: "
        + Self.rate(samples.count, progress.elapsed))
  }

  mutating func fill(fromExport path: String) async throws {
    try heading("Your Apple Health export, imported")
    let work = try ImportWork(path, console.error)
    try work.begin()
    let report = ImportReport(try work.run(into: store), seconds: work.elapsed)
    for line in report.result { try say(line.isEmpty ? "" : "  " + line) }
    for warning in report.warnings { try say("  " + warning) }
  }

  /// Prints the count, minimum, maximum and average by type, as read by queries.
  mutating func showTypes() async throws {
    try heading("What is in it")
    let statistics = try await store.storeStatistics()
    var table = TextTable([
      ("TYPE", .left), ("COUNT", .right), ("MIN", .right), ("MAX", .right), ("MEAN", .right),
      ("SUM", .right), ("UNIT", .left),
    ])
    let clock = ContinuousClock.now
    var count = 0
    for series in statistics.series.sorted(by: { Self.name($0.type) < Self.name($1.type) }) {
      guard let type = HKSampleType.named(series.type) as? HKQuantityType else {
        table.add([Self.name(series.type), Figures.count(series.rows), "", "", "", "", ""])
        continue
      }
      let samples = try await HKSampleQueryDescriptor(
        predicates: [.quantitySample(type: type)], sortDescriptors: []
      ).result(for: store)
      count += samples.count
      table.add(Self.row(type, samples))
    }
    let seconds = ProgressLine.seconds(.now - clock)
    try say(table)
    try say("  read back as HKQuantitySample objects: \(Self.rate(count, seconds))")
  }

  private static func name(_ type: String) -> String {
    HKSampleType.shortName(ofIdentifier: type)
  }

  private static func row(_ type: HKQuantityType, _ samples: [HKQuantitySample]) -> [String] {
    guard let unit = samples.first?.quantity.unit else { return [type.shortName, "0"] }
    let values = samples.map { $0.quantity.doubleValue(for: unit) }
    let sum = values.reduce(0, +)
    let isCumulative = type.aggregationStyle == .cumulative
    return [
      type.shortName, Figures.count(values.count), Figures.short(values.min() ?? 0),
      Figures.short(values.max() ?? 0), Figures.short(sum / Double(values.count)),
      isCumulative ? Figures.short(sum) : "", unit.unitString,
    ]
  }
}
