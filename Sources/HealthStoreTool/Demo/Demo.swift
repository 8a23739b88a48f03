import Foundation
import HealthStore

/// The steps of the demonstration, which all use one store through HealthKit's API.
struct Demo {
  let console: Console
  let directory: URL
  var store: HKHealthStore
  private var step = 0

  let heartRate = HKQuantityType(.heartRate)
  let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())

  init(_ console: Console, _ directory: URL) throws {
    self.console = console
    self.directory = directory
    store = try HKHealthStore(directory: directory)
  }

  func begin() throws {
    try say("HealthKit's store on this machine, in \(directory.path)")
    try say("(removed at the end)")
  }

  func end() async throws {
    try await store.close()
    try say()
    try say("Done; the temporary store is removed.")
  }

  /// Begins a step.
  mutating func heading(_ text: String) throws {
    step += 1
    try say()
    let title = "\(step). \(text) "
    try say(title + String(repeating: "-", count: max(0, 80 - title.count)))
  }

  func say(_ text: String = "") throws {
    try console.out.line(text)
    // The steps take a while, so show each line at once.
    try console.out.flush()
  }

  func say(_ table: TextTable) throws {
    for line in table.lines(indent: "  ") { try say(line) }
  }

  /// Returns a heart rate measured now, as a program on a watch would save it.
  func measurement(_ value: Double) -> HKQuantitySample {
    let now = Date()
    return HKQuantitySample(
      type: heartRate, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: value), start: now,
      end: now)
  }

  static func rate(_ count: Int, _ seconds: Double) -> String {
    "\(Figures.time(seconds)), \(Figures.count(Int(Double(count) / max(seconds, 1e-9)))) samples/s"
  }
}
