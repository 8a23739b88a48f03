import HealthKit

/// Counts steps by day.
public struct StepCounter: Sendable {
  private let store: HKHealthStore
  private let calendar: Calendar
  private static let steps = HKQuantityType(.stepCount)

  /// Takes the store and the calendar as parameters, so that a test can replace them.
  public init(store: HKHealthStore, calendar: Calendar = .current) {
    self.store = store
    self.calendar = calendar
  }

  /// The steps of each of the last seven days that has any, in order of date.
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
