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
  /// - Throws: If its energies are in no unit of energy, or the store does not have the day.
  mutating func take(_ day: ExportActivitySummary) throws(ImportRejection) {
    guard let energy = Self.energyUnit(day.energyUnit) else {
      throw ImportRejection(
        problem: .unusableUnit(type: Self.name, unit: day.energyUnit ?? ""))
    }
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
    do {
      let date = day.day ?? DateComponents()
      try HKHealthStore.checkActivitySummary(summary, of: date)
      waiting[date] = summary
    } catch {
      throw .unstorable(Self.name, error.localizedDescription)
    }
  }

  private static let name = "HKActivitySummary"

  private static func energyUnit(_ name: String?) -> HKUnit? {
    guard let name, !name.isEmpty else { return .kilocalorie() }
    guard name.utf8.count <= NameAllowance.longestUnit else { return nil }
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
