import Foundation
import HealthKit

// Declarations that the listings presuppose.

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

/// The values shown by a listing, which a test awaits in order.
final class Shown: Sendable {
  private let stream = AsyncStream.makeStream(of: String.self)

  /// Shows the description of a value.
  func show(_ value: Any?) {
    let text = value.map { "\($0)" } ?? "nothing"
    stream.continuation.yield(text)
  }

  /// Waits for the next value shown.
  func next() async -> String? {
    var iterator = stream.stream.makeAsyncIterator()
    return await iterator.next()
  }
}
