import Foundation
import HealthKit

// What listings take for granted.

let heartRate = HKQuantityType(.heartRate)
let steps = HKQuantityType(.stepCount)
let perMinute = HKUnit.count().unitDivided(by: .minute())
let date = Date(timeIntervalSinceReferenceDate: 800_000_000)
let midnight = Calendar(identifier: .gregorian).startOfDay(for: date)

func beat(_ value: Double, _ offset: TimeInterval = 0) -> HKQuantitySample {
  HKQuantitySample(
    type: heartRate, quantity: HKQuantity(unit: perMinute, doubleValue: value),
    start: date + offset, end: date + offset)
}

func walk(_ count: Double, _ offset: TimeInterval = 0) -> HKQuantitySample {
  HKQuantitySample(
    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
    start: date + offset, end: date + offset + 60)
}

/// What a listing has shown, in order, and waits for it.
final class Shown: Sendable {
  private let stream = AsyncStream.makeStream(of: String.self)

  /// Shows a value: what it says of itself.
  func show(_ value: Any?) {
    let text = value.map { "\($0)" } ?? "nothing"
    stream.continuation.yield(text)
  }

  /// The next thing that is shown.
  func next() async -> String? {
    var iterator = stream.stream.makeAsyncIterator()
    return await iterator.next()
  }
}
