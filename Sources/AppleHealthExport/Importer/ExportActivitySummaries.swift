import Foundation
import HealthStore

/// A batch of an export's activity summaries, to be saved in a store.
struct ExportActivitySummaries {
  private var waiting: [DateComponents: HKActivitySummary] = [:]

  /// The number of summaries in a full batch, which bounds memory.
  private static let batchSize = 4096

  /// Whether the batch is full.
  var isFull: Bool { waiting.count >= Self.batchSize }

  /// Adds the summary of a day, which replaces an earlier summary of the same day.
  ///
  /// - Throws: ``ImportRejection`` if its energies are not in a unit of energy, or if the store
  ///   cannot represent the day or a value.
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

  /// Saves the batch, empties it and returns the number of saved days.
  ///
  /// - Throws: An error of the store.
  mutating func save(to store: HKHealthStore) throws -> Int {
    defer { waiting = [:] }
    if !waiting.isEmpty { try store.importActivitySummaries(waiting) }
    return waiting.count
  }
}
