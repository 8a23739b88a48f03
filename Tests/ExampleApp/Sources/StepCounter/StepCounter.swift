import HealthKit

/// Counts steps by day, and shows when it may not.
public struct StepCounter: Sendable {
  private let store: HKHealthStore
  private let calendar: Calendar
  private static let steps = HKQuantityType(.stepCount)

  /// The store, the calendar and later the time come from outside, so that a test can set them.
  public init(store: HKHealthStore, calendar: Calendar = .current) {
    self.store = store
    self.calendar = calendar
  }

  /// The steps of each of the last seven days that has some, the earliest first.
  public func week(endingAt now: Date) async throws -> [Double] {
    try await store.requestAuthorization(toShare: [], read: [Self.steps])
    let today = calendar.startOfDay(for: now)
    let start = calendar.date(byAdding: .day, value: -6, to: today)
    let descriptor = HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(
        type: Self.steps,
        predicate: HKQuery.predicateForSamples(
          withStart: start, end: now, options: .strictStartDate)),
      options: .cumulativeSum, anchorDate: today,
      intervalComponents: DateComponents(calendar: calendar, day: 1))
    return try await descriptor.result(for: store).statistics().compactMap {
      $0.sumQuantity()?.doubleValue(for: .count())
    }
  }
}
