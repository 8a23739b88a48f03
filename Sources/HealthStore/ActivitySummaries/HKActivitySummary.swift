public import Foundation
internal import SampleLog

/// What somebody did in a day, and meant to do.
///
/// Mutable; safe to use from several threads. Setting a quantity whose unit measures something else
/// traps, as HealthKit raises an exception. Where nothing was set, a quantity is zero.
open class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private let values: Locked<ActivitySummaryValues>

  /// Makes a summary of no day, with nothing done.
  public override init() {
    values = Locked(ActivitySummaryValues())
    super.init()
  }

  init(_ values: ActivitySummaryValues) {
    self.values = Locked(values)
    super.init()
  }

  /// The day that the summary is of.
  var day: CalendarDay? { all.day }

  /// What the summary says, as that of a day.
  func values(of day: CalendarDay) -> ActivitySummaryValues {
    var values = all
    values.day = day
    return values
  }

  private var all: ActivitySummaryValues { values.withLock { $0 } }

  /// Era, year, month and day of the summary's day by a calendar.
  ///
  /// They have the calendar as well, as predicates demand; a summary that a program made is of no
  /// day, and its components have nothing else.
  open func dateComponents(for calendar: Calendar) -> DateComponents {
    day?.components(in: calendar) ?? DateComponents(calendar: calendar)
  }

  /// What the ring for movement counts; energy unless set.
  open var activityMoveMode: HKActivityMoveMode {
    get { all.moveMode }
    set { values.withLock { $0.moveMode = newValue } }
  }

  /// Whether the rings were paused on the day.
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

  /// The active energy burned, in units of energy.
  open var activeEnergyBurned: HKQuantity {
    get { quantity(.activeEnergyBurned) }
    set { set(.activeEnergyBurned, newValue) }
  }

  /// The active energy to burn, in units of energy.
  open var activeEnergyBurnedGoal: HKQuantity {
    get { quantity(.activeEnergyBurnedGoal) }
    set { set(.activeEnergyBurnedGoal, newValue) }
  }

  /// The time spent moving, in units of time.
  open var appleMoveTime: HKQuantity {
    get { quantity(.appleMoveTime) }
    set { set(.appleMoveTime, newValue) }
  }

  /// The time to spend moving, in units of time.
  open var appleMoveTimeGoal: HKQuantity {
    get { quantity(.appleMoveTimeGoal) }
    set { set(.appleMoveTimeGoal, newValue) }
  }

  /// The time spent exercising, in units of time.
  open var appleExerciseTime: HKQuantity {
    get { quantity(.appleExerciseTime) }
    set { set(.appleExerciseTime, newValue) }
  }

  /// The older form of ``exerciseTimeGoal``, zero where that is `nil`.
  open var appleExerciseTimeGoal: HKQuantity {
    get { quantity(.exerciseTimeGoal) }
    set { set(.exerciseTimeGoal, newValue) }
  }

  /// The time to spend exercising, in units of time; `nil` where there is no goal.
  open var exerciseTimeGoal: HKQuantity? {
    get { all[.exerciseTimeGoal] }
    set { set(.exerciseTimeGoal, newValue) }
  }

  /// The number of hours with standing in them, as a count.
  open var appleStandHours: HKQuantity {
    get { quantity(.appleStandHours) }
    set { set(.appleStandHours, newValue) }
  }

  /// The older form of ``standHoursGoal``, zero where that is `nil`.
  open var appleStandHoursGoal: HKQuantity {
    get { quantity(.standHoursGoal) }
    set { set(.standHoursGoal, newValue) }
  }

  /// The number of hours to stand in, as a count; `nil` where there is no goal.
  open var standHoursGoal: HKQuantity? {
    get { all[.standHoursGoal] }
    set { set(.standHoursGoal, newValue) }
  }

  // MARK: Archiving and copying

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived summary.
  ///
  /// Returns `nil` when the archive is of a later version or a quantity is in a wrong unit.
  public required init?(coder: NSCoder) {
    guard let read = ActivitySummaryValues(coder: coder) else { return nil }
    values = Locked(read)
    super.init()
  }

  /// Archives the day and all values.
  open func encode(with coder: NSCoder) { all.encode(with: coder) }

  /// Returns a summary of its own with the same values.
  open func copy(with zone: NSZone? = nil) -> Any { HKActivitySummary(all) }

  /// Whether both are of one day and all values are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKActivitySummary)?.all == all
  }

  /// A hash of the day.
  open override var hash: Int { day.hashValue }
}
