import Foundation

/// What a day's activity summary says.
struct ActivitySummaryValues: Hashable, Sendable {
  /// A quantity of a summary, by the name that archives have it under.
  enum Field: String, CaseIterable, Sendable {
    case activeEnergyBurned, activeEnergyBurnedGoal
    case appleMoveTime, appleMoveTimeGoal
    case appleExerciseTime, exerciseTimeGoal
    case appleStandHours, standHoursGoal

    /// The unit that the quantity is given in where nothing was counted, and is compatible with.
    var unit: HKUnit {
      switch self {
      case .activeEnergyBurned, .activeEnergyBurnedGoal: .kilocalorie()
      case .appleMoveTime, .appleMoveTimeGoal, .appleExerciseTime, .exerciseTimeGoal: .minute()
      case .appleStandHours, .standHoursGoal: .count()
      }
    }
  }

  /// The day; `nil` for a summary that a program made.
  var day: CalendarDay?
  var moveMode = HKActivityMoveMode.activeEnergy
  var isPaused = false
  private var quantities: [Field: HKQuantity] = [:]

  init(day: CalendarDay? = nil) { self.day = day }

  /// A quantity, `nil` where none was set.
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
