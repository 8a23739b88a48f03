import HealthKit
import Testing

/// A day in a time zone, with activity samples on it and the following days.
struct ActivityDay: Sendable {
  let calendar: Calendar
  let midnight: Date

  init(_ year: Int, _ month: Int, _ day: Int, in timeZone: String) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: timeZone))
    self.calendar = calendar
    midnight = try #require(
      calendar.date(from: DateComponents(year: year, month: month, day: day)))
  }

  /// The components of the day `days` later.
  func components(_ days: Int = 0) -> DateComponents {
    let date = calendar.date(byAdding: .day, value: days, to: midnight) ?? midnight
    var components = calendar.dateComponents([.era, .year, .month, .day], from: date)
    components.calendar = calendar
    return components
  }

  private func date(_ hour: Double) -> Date { midnight.addingTimeInterval(hour * 3_600) }

  private func sample(
    _ type: HKQuantityTypeIdentifier, _ quantity: HKQuantity, _ hour: Double, _ hours: Double
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(type), quantity: quantity, start: date(hour), end: date(hour + hours))
  }

  /// Kilocalories from `hour` hours after midnight.
  func energy(_ value: Double, hour: Double, hours: Double = 0.1) -> HKQuantitySample {
    sample(
      .activeEnergyBurned, HKQuantity(unit: .kilocalorie(), doubleValue: value), hour, hours)
  }

  /// Kilocalories that a source recorded on a product.
  func energy(
    _ value: Double, hour: Double, from source: HKSource, product: String
  ) throws -> HKQuantitySample {
    try HKQuantitySample.validated(
      type: HKQuantityType(.activeEnergyBurned),
      quantity: HKQuantity(unit: .kilocalorie(), doubleValue: value), start: date(hour),
      end: date(hour + 1),
      sourceRevision: HKSourceRevision(
        source: source, version: nil, productType: product,
        operatingSystemVersion: HKSourceRevisionAnyOperatingSystem))
  }

  /// Minutes of exercise.
  func exercise(_ minutes: Double, hour: Double) -> HKQuantitySample {
    sample(.appleExerciseTime, HKQuantity(unit: .minute(), doubleValue: minutes), hour, 0.1)
  }

  /// Minutes of moving.
  func move(_ minutes: Double, hour: Double) -> HKQuantitySample {
    sample(.appleMoveTime, HKQuantity(unit: .minute(), doubleValue: minutes), hour, 0.1)
  }

  /// A quarter of an hour with or without standing.
  func stood(_ value: HKCategoryValueAppleStandHour = .stood, hour: Double) -> HKCategorySample {
    HKCategorySample(
      type: HKCategoryType(.appleStandHour), value: value.rawValue, start: date(hour),
      end: date(hour + 0.25))
  }

  /// A goal for active energy.
  func goals(_ kilocalories: Double) -> ActivityGoals {
    var goals = ActivityGoals()
    goals.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories)
    return goals
  }
}

extension Collection where Element == HKActivitySummary {
  var energies: [Double] { map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) } }

  var energyGoals: [Double] { map { $0.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()) } }
}
