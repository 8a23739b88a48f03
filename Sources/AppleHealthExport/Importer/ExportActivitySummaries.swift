import Foundation
import HealthStore

/// The days of an export that wait to be set in a store.
struct ExportActivitySummaries {
  private var waiting: [DateComponents: HKActivitySummary] = [:]

  /// How many are set at once, which bounds the memory.
  private static let batchSize = 4096

  /// Whether there are as many as are set at once.
  var isFull: Bool { waiting.count >= Self.batchSize }

  /// Takes a day, the last summary of each.
  ///
  /// - Returns: Whether it is one: it has a date, and its energies are in a unit of energy.
  mutating func take(_ day: ExportActivitySummary) -> Bool {
    guard let date = day.day, let energy = Self.energyUnit(day.energyUnit) else { return false }
    func quantity(_ value: Double?, _ unit: HKUnit) -> HKQuantity? {
      value.map { HKQuantity(unit: unit, doubleValue: $0) }
    }
    func set(
      _ property: ReferenceWritableKeyPath<HKActivitySummary, HKQuantity>, _ quantity: HKQuantity?
    ) {
      if let quantity { summary[keyPath: property] = quantity }
    }
    let summary = HKActivitySummary()
    set(\.activeEnergyBurned, quantity(day.activeEnergyBurned, energy))
    set(\.activeEnergyBurnedGoal, quantity(day.activeEnergyBurnedGoal, energy))
    set(\.appleMoveTime, quantity(day.appleMoveTime, .minute()))
    set(\.appleMoveTimeGoal, quantity(day.appleMoveTimeGoal, .minute()))
    set(\.appleExerciseTime, quantity(day.appleExerciseTime, .minute()))
    summary.exerciseTimeGoal = quantity(day.appleExerciseTimeGoal, .minute())
    set(\.appleStandHours, quantity(day.appleStandHours, .count()))
    summary.standHoursGoal = quantity(day.appleStandHoursGoal, .count())
    waiting[date] = summary
    return true
  }

  private static func energyUnit(_ name: String?) -> HKUnit? {
    guard let name else { return .kilocalorie() }
    do {
      let unit = try HKUnit.parse(name)
      return HKQuantity(unit: unit, doubleValue: 0).is(compatibleWith: .joule()) ? unit : nil
    } catch {
      return nil
    }
  }

  /// Sets what was taken and returns how many days that are.
  ///
  /// - Throws: An error of the store.
  mutating func save(to store: HKHealthStore) throws -> Int {
    defer { waiting = [:] }
    if !waiting.isEmpty { try store.importActivitySummaries(waiting) }
    return waiting.count
  }
}
