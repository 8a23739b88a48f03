import Foundation

/// The contents of a day's activity summary.
struct ActivitySummaryValues: Hashable, Sendable {
  /// A quantity of a summary.
  ///
  /// The raw value is its key in archives.
  enum Field: String, CaseIterable, Sendable {
    case activeEnergyBurned, activeEnergyBurnedGoal
    case appleMoveTime, appleMoveTimeGoal
    case appleExerciseTime, exerciseTimeGoal
    case appleStandHours, standHoursGoal

    /// The unit for zero values, with which all values of the field must be compatible.
    var unit: HKUnit {
      switch self {
      case .activeEnergyBurned, .activeEnergyBurnedGoal: .kilocalorie()
      case .appleMoveTime, .appleMoveTimeGoal, .appleExerciseTime, .exerciseTimeGoal: .minute()
      case .appleStandHours, .standHoursGoal: .count()
      }
    }
  }

  /// The day, or `nil` for a summary that a program created.
  var day: CalendarDay?
  var moveMode = HKActivityMoveMode.activeEnergy
  var isPaused = false
  private var quantities: [Field: HKQuantity] = [:]

  init(day: CalendarDay? = nil) { self.day = day }

  /// Accesses a quantity, which is `nil` if it was not set.
  ///
  /// Traps if the unit is incompatible.
  subscript(field: Field) -> HKQuantity? {
    get { quantities[field] }
    set {
      trapUnless(
        newValue?.is(compatibleWith: field.unit) ?? true,
        "The \(field.rawValue) of an activity summary is in \(field.unit), not in "
          + "\(newValue?.unit.unitString ?? "").")
      quantities[field] = newValue
    }
  }
}
