import Foundation
import HealthStore
import SampleLog

/// Workouts among many heart rates, in a separate store.
package struct WorkoutLoad {
  private static let activities: [HKWorkoutActivityType] = [.running, .cycling, .swimming, .yoga]
  private static let heartRate = HKQuantityType(.heartRate)

  private let plan: PeerSession.Plan
  private let workouts: Int
  private let members: Int
  private let directory: String

  /// Prepares to measure the given number of workouts, one of which has the given number of
  /// samples, among the plan's number of heart rates.
  package init(_ plan: PeerSession.Plan, workouts: Int = 10_000, members: Int = 2_000) {
    self.plan = plan
    self.workouts = workouts
    self.members = members
    directory = "\(plan.directory)/healthstore-benchmark-workouts"
  }

  /// The seconds from one workout to the next, for a total of ten years.
  private var distance: Double { 10 * 365.25 * 86_400 / Double(workouts) }

  private func date(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: 600_000_000 + seconds)
  }

  /// Queries the samples of one workout, and the workouts of one activity in a year.
  package func measure() throws -> [Measurement] {
    try? FileManager.default.removeItem(atPath: directory)
    var options = Database.Options()
    options.durability = .buffered
    let store = try HKHealthStore(directory: URL(fileURLWithPath: directory), options: options)
    let workout = try fill(store)
    let samples = try measure(
      "the \(members) samples of a workout", store,
      .quantitySample(
        type: Self.heartRate, predicate: HKQuery.predicateForObjects(from: workout)),
      expected: members)
    let year = 4 * 365.25 * 86_400..<5 * 365.25 * 86_400
    let expected = (0..<workouts).count { number in
      number % Self.activities.count == 0 && year.contains(Double(number) * distance)
    }
    let running = NSCompoundPredicate(andPredicateWithSubpredicates: [
      HKQuery.predicateForWorkouts(with: .running),
      HKQuery.predicateForSamples(
        withStart: date(year.lowerBound), end: date(year.upperBound), options: .strictStartDate),
    ])
    let found = try measure(
      "one activity's workouts of a year, of \(workouts)", store, .workout(running),
      expected: expected)
    try blocking { try await store.close() }
    try FileManager.default.removeItem(atPath: directory)
    return [samples, found]
  }

  private func measure<Sample: HKSample>(
    _ title: String, _ store: HKHealthStore, _ predicate: HKSamplePredicate<Sample>, expected: Int
  ) throws -> Measurement {
    let query = HKSampleQueryDescriptor(
      predicates: [predicate], sortDescriptors: [SortDescriptor(\.startDate, order: .forward)])
    var costs: [Double] = []
    for _ in 0..<plan.repetitions * 10 {
      let watch = Stopwatch()
      let count = try blocking { try await query.result(for: store).count }
      costs.append(watch.seconds * 1e3)
      guard count == expected else {
        throw BenchmarkError.failed("\(title): \(count) were found of \(expected).")
      }
    }
    return Measurement(title, "ms", .less, costs)
  }

  /// Saves everything, compacts it, and returns the workout that has samples.
  private func fill(_ store: HKHealthStore) throws -> HKWorkout {
    let all = try (0..<workouts).map { number in
      let start = date(Double(number) * distance)
      return try HKWorkout.validated(
        activityType: Self.activities[number % Self.activities.count], start: start,
        end: start + 1_800)
    }
    let step = 10 * 365.25 * 86_400 / Double(max(1, plan.samples))
    for first in stride(from: 0, to: plan.samples, by: 10_000) {
      let samples = try (first..<min(first + 10_000, plan.samples)).map { number in
        try rate(date(Double(number) * step), number)
      }
      try blocking { try await store.save(samples) }
    }
    let workout = all[workouts / 2]
    let own = try (0..<members).map { number in
      try rate(workout.startDate + Double(number) * 1_800 / Double(members), number)
    }
    try blocking {
      try await store.save(all)
      try await store.addSamples(own, to: workout)
      try await store.flush()
      _ = try await store.compact()
    }
    return workout
  }

  private func rate(_ date: Date, _ number: Int) throws -> HKQuantitySample {
    try HKQuantitySample.validated(
      type: Self.heartRate,
      quantity: HKQuantity(
        unit: .count().unitDivided(by: .minute()), doubleValue: Double(50 + number * 7 % 100)),
      start: date, end: date)
  }
}
