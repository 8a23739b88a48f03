/// What somebody means to do each day, and how their days count.
///
/// Our addition: on an iPhone people set these in the Fitness app, and programs read them from
/// activity summaries only. Set them with ``HKHealthStore/setActivityGoals(_:from:)``, which
/// refuses a goal whose unit measures something else.
public struct ActivityGoals: Hashable, Sendable {
  /// The active energy to burn, in units of energy; `nil` for no goal.
  public var activeEnergyBurned: HKQuantity?

  /// The time to spend moving, in units of time; `nil` for no goal.
  public var appleMoveTime: HKQuantity?

  /// The time to spend exercising, in units of time; `nil` for no goal.
  public var exerciseTime: HKQuantity?

  /// The number of hours to stand in, as a count; `nil` for no goal.
  public var standHours: HKQuantity?

  /// What the ring for movement counts; `nil` for what the characteristic says.
  public var moveMode: HKActivityMoveMode?

  /// Whether the rings are paused.
  public var isPaused = false

  /// No goals.
  public init() {}

  /// The goals and the names that summaries have them under, in the order they are stored in.
  static let fields:
    [(
      name: ActivitySummaryValues.Field, path: any WritableKeyPath<Self, HKQuantity?> & Sendable
    )] = [
      (.activeEnergyBurnedGoal, \.activeEnergyBurned), (.appleMoveTimeGoal, \.appleMoveTime),
      (.exerciseTimeGoal, \.exerciseTime), (.standHoursGoal, \.standHours),
    ]
}

extension ActivitySummaryValues {
  /// Takes over the goals, and how the day counts.
  mutating func apply(_ goals: ActivityGoals) {
    for (name, path) in ActivityGoals.fields {
      if let quantity = goals[keyPath: path] { self[name] = quantity }
    }
    if let mode = goals.moveMode { moveMode = mode }
    isPaused = goals.isPaused
  }
}
