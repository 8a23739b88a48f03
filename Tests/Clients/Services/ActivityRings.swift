import HealthKit

// Summaries from a running query and a descriptor, and the components that their days need.

struct Rings: Equatable, Sendable {
  var day: DateComponents
  var move: Double
  var exercise: Double
  var stand: Double
}

final class ActivityRings {
  private let healthStore: HKHealthStore
  private let calendar: Calendar
  private var query: HKActivitySummaryQuery?

  init(healthStore: HKHealthStore, calendar: Calendar) {
    self.healthStore = healthStore
    self.calendar = calendar
  }

  private func components(_ date: Date) -> DateComponents {
    var components = calendar.dateComponents([.day, .month, .year, .era], from: date)
    components.calendar = calendar
    return components
  }

  func follow(
    from start: Date, to end: Date, onChange: @escaping @Sendable ([Rings]) -> Void
  ) {
    let predicate = HKQuery.predicate(
      forActivitySummariesBetweenStart: components(start), end: components(end))
    let query = HKActivitySummaryQuery(predicate: predicate) { [calendar] _, summaries, error in
      if error == nil { onChange((summaries ?? []).map { Self.rings($0, calendar) }) }
    }
    query.updateHandler = { [calendar] _, summaries, _ in
      onChange((summaries ?? []).map { Self.rings($0, calendar) })
    }
    healthStore.execute(query)
    self.query = query
  }

  func stop() {
    query.map(healthStore.stop)
    query = nil
  }

  func today(_ date: Date) async throws -> Rings? {
    let descriptor = HKActivitySummaryQueryDescriptor(
      predicate: HKQuery.predicateForActivitySummary(with: components(date)))
    return try await descriptor.result(for: healthStore).first.map { Self.rings($0, calendar) }
  }

  private static func rings(_ summary: HKActivitySummary, _ calendar: Calendar) -> Rings {
    let minutes = HKUnit.minute()
    return Rings(
      day: summary.dateComponents(for: calendar),
      move: summary.activeEnergyBurned.doubleValue(for: .kilocalorie()),
      exercise: summary.appleExerciseTime.doubleValue(for: minutes),
      stand: summary.appleStandHours.doubleValue(for: .count()))
  }
}
