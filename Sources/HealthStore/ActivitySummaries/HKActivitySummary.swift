public import Foundation
internal import SampleLog

/// A subject's activity and goals on one day.
///
/// The object is mutable and thread-safe. Setting a quantity with an incompatible unit traps,
/// where HealthKit raises an exception. Quantities that were not set are zero.
open class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private let values: Locked<ActivitySummaryValues>

  /// Creates an empty summary that belongs to no day.
  public override init() {
    values = Locked(ActivitySummaryValues())
    super.init()
  }

  init(_ values: ActivitySummaryValues) {
    self.values = Locked(values)
    super.init()
  }

  var day: CalendarDay? { all.day }

  /// Returns the contents of the summary, assigned to a day.
  func values(of day: CalendarDay) -> ActivitySummaryValues {
    var values = all
    values.day = day
    return values
  }

  private var all: ActivitySummaryValues { values.withLock { $0 } }

  /// Returns the era, year, month and day of the summary in a calendar.
  ///
  /// The components include the calendar, as predicates require. A summary that a program created
  /// belongs to no day, so its components have only the calendar.
  open func dateComponents(for calendar: Calendar) -> DateComponents {
    day?.components(in: calendar) ?? DateComponents(calendar: calendar)
  }

  /// The quantity that the Move ring measures.
  ///
  /// Default: active energy.
  open var activityMoveMode: HKActivityMoveMode {
    get { all.moveMode }
    set { values.withLock { $0.moveMode = newValue } }
  }

  /// Whether the rings were paused on this day.
  open var isPaused: Bool {
    get { all.isPaused }
    set { values.withLock { $0.isPaused = newValue } }
  }

  private func quantity(_ field: ActivitySummaryValues.Field) -> HKQuantity {
    all[field] ?? HKQuantity(unit: field.unit, doubleValue: 0)
  }

  private func set(_ field: ActivitySummaryValues.Field, _ quantity: HKQuantity?) {
    values.withLock { $0[field] = quantity }
  }

  /// The active energy burned, in a unit of energy.
  open var activeEnergyBurned: HKQuantity {
    get { quantity(.activeEnergyBurned) }
    set { set(.activeEnergyBurned, newValue) }
  }

  /// The active energy goal, in a unit of energy.
  open var activeEnergyBurnedGoal: HKQuantity {
    get { quantity(.activeEnergyBurnedGoal) }
    set { set(.activeEnergyBurnedGoal, newValue) }
  }

  /// The time spent moving, in a unit of time.
  open var appleMoveTime: HKQuantity {
    get { quantity(.appleMoveTime) }
    set { set(.appleMoveTime, newValue) }
  }

  /// The move time goal, in a unit of time.
  open var appleMoveTimeGoal: HKQuantity {
    get { quantity(.appleMoveTimeGoal) }
    set { set(.appleMoveTimeGoal, newValue) }
  }

  /// The time spent exercising, in a unit of time.
  open var appleExerciseTime: HKQuantity {
    get { quantity(.appleExerciseTime) }
    set { set(.appleExerciseTime, newValue) }
  }

  /// The former name of ``exerciseTimeGoal``.
  ///
  /// It is zero if there is no goal.
  open var appleExerciseTimeGoal: HKQuantity {
    get { quantity(.exerciseTimeGoal) }
    set { set(.exerciseTimeGoal, newValue) }
  }

  /// The exercise time goal, in a unit of time, or `nil` if there is no goal.
  open var exerciseTimeGoal: HKQuantity? {
    get { all[.exerciseTimeGoal] }
    set { set(.exerciseTimeGoal, newValue) }
  }

  /// The number of hours in which the subject stood, as a count.
  open var appleStandHours: HKQuantity {
    get { quantity(.appleStandHours) }
    set { set(.appleStandHours, newValue) }
  }

  /// The former name of ``standHoursGoal``.
  ///
  /// It is zero if there is no goal.
  open var appleStandHoursGoal: HKQuantity {
    get { quantity(.standHoursGoal) }
    set { set(.standHoursGoal, newValue) }
  }

  /// The stand goal, as a count of hours, or `nil` if there is no goal.
  open var standHoursGoal: HKQuantity? {
    get { all[.standHoursGoal] }
    set { set(.standHoursGoal, newValue) }
  }

  // MARK: Archiving and copying

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived summary.
  ///
  /// Returns `nil` if the archive has a later version or a quantity has an incompatible unit.
  public required init?(coder: NSCoder) {
    guard let read = ActivitySummaryValues(coder: coder) else { return nil }
    values = Locked(read)
    super.init()
  }

  /// Encodes the day and all values.
  open func encode(with coder: NSCoder) { all.encode(with: coder) }

  /// Returns an independent copy.
  open func copy(with zone: NSZone? = nil) -> Any { HKActivitySummary(all) }

  /// Returns whether both summaries have the same day and equal values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKActivitySummary)?.all == all
  }

  /// A hash of the day.
  open override var hash: Int { day.hashValue }
}
