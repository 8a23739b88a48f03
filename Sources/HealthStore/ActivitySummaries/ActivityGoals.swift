/// A subject's daily activity goals and the settings of their rings.
///
/// This is an addition: on an iPhone, users set these in the Fitness app, and programs can only
/// read them from activity summaries. Set them with ``HKHealthStore/setActivityGoals(_:from:)``,
/// which rejects a goal with an incompatible unit.
public struct ActivityGoals: Hashable, Sendable {
  /// The active energy goal, in a unit of energy, or `nil` for no goal.
  public var activeEnergyBurned: HKQuantity?

  /// The move time goal, in a unit of time, or `nil` for no goal.
  public var appleMoveTime: HKQuantity?

  /// The exercise time goal, in a unit of time, or `nil` for no goal.
  public var exerciseTime: HKQuantity?

  /// The stand goal, as a count of hours, or `nil` for no goal.
  public var standHours: HKQuantity?

  /// The quantity that the Move ring measures, or `nil` to use the subject's characteristic.
  public var moveMode: HKActivityMoveMode?

  /// Whether the rings are paused.
  public var isPaused = false

  /// Creates settings without goals.
  public init() {}

  /// The goals and the corresponding fields of summaries, in storage order.
  static let fields:
    [(
      name: ActivitySummaryValues.Field, path: any WritableKeyPath<Self, HKQuantity?> & Sendable
    )] = [
      (.activeEnergyBurnedGoal, \.activeEnergyBurned), (.appleMoveTimeGoal, \.appleMoveTime),
      (.exerciseTimeGoal, \.exerciseTime), (.standHoursGoal, \.standHours),
    ]
}

extension ActivitySummaryValues {
  /// Copies the goals, the move mode and the paused state to a day's summary.
  mutating func apply(_ goals: ActivityGoals) {
    for (name, path) in ActivityGoals.fields {
      if let quantity = goals[keyPath: path] { self[name] = quantity }
    }
    if let mode = goals.moveMode { moveMode = mode }
    isPaused = goals.isPaused
  }
}
