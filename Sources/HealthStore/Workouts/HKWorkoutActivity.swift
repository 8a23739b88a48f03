public import Foundation

/// An activity of a workout, such as the swimming leg of a triathlon.
///
/// Immutable and safe to share between threads. Two activities are equal if their identifiers are
/// equal.
open class HKWorkoutActivity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The identifier.
  public let uuid: UUID

  /// The start of the activity.
  public let startDate: Date

  /// The end of the activity, or nil if it is in progress.
  public let endDate: Date?

  /// The metadata of the activity.
  public let metadata: [String: Any]?

  /// The events during the activity, by date.
  ///
  /// Empty unless the activity was read with its workout.
  public let workoutEvents: [HKWorkoutEvent]

  let configuration: WorkoutConfigurationValues
  let statistics: [WorkoutStatistic]

  /// The activity type and location; each access returns a new copy.
  open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(configuration) }

  /// The time from start to end without pauses, in seconds, or 0 if the activity is in progress.
  open var duration: TimeInterval {
    guard let endDate else { return 0 }
    return WorkoutPauses(workoutEvents).activeTime(from: startDate, to: endDate)
  }

  /// The statistics of the workout's samples during the activity, by type.
  ///
  /// A cumulative sample that lies partly outside the activity counts in proportion.
  open var allStatistics: [HKQuantityType: HKStatistics] {
    Dictionary(
      uniqueKeysWithValues: statistics.map {
        ($0.type, $0.object(from: startDate, to: endDate ?? startDate))
      })
  }

  /// Returns the statistics of the workout's samples of a type during the activity, or nil if there
  /// are none.
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    statistics.first { $0.type == quantityType }?
      .object(from: startDate, to: endDate ?? startDate)
  }

  /// Creates an activity.
  ///
  /// Traps if a date is not finite, the end is before the start, or the metadata cannot be stored.
  public convenience init(
    workoutConfiguration: HKWorkoutConfiguration, start startDate: Date, end endDate: Date?,
    metadata: [String: Any]?
  ) {
    let end = endDate ?? startDate
    guard startDate.timeIntervalSinceReferenceDate.isFinite,
      end.timeIntervalSinceReferenceDate.isFinite, startDate <= end
    else { fatalError("An activity must have finite dates and not end before it starts.") }
    do {
      self.init(
        uuid: IdentifierSource.next(),
        configuration: WorkoutConfigurationValues(workoutConfiguration),
        start: startDate, end: endDate,
        checked: try metadata.map { try Metadata.normalized($0).values })
    } catch {
      fatalError("\(error)")
    }
  }

  /// Creates an activity from validated fields.
  init(
    uuid: UUID, configuration: WorkoutConfigurationValues, start: Date, end: Date?,
    checked metadata: [String: Any]?, statistics: [WorkoutStatistic] = [],
    events: [HKWorkoutEvent] = []
  ) {
    self.uuid = uuid
    self.configuration = configuration
    startDate = start
    endDate = end
    self.metadata = metadata
    self.statistics = statistics
    workoutEvents = events
    super.init()
  }

  /// Returns the activity with the given fields replaced.
  func with(
    end: Date?? = nil, metadata: [String: Any]?? = nil, statistics: [WorkoutStatistic]? = nil,
    events: [HKWorkoutEvent]? = nil
  ) -> HKWorkoutActivity {
    HKWorkoutActivity(
      uuid: uuid, configuration: configuration, start: startDate, end: end ?? endDate,
      checked: metadata ?? self.metadata, statistics: statistics ?? self.statistics,
      events: events ?? workoutEvents)
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived activity.
  ///
  /// Returns nil if the archive has a later version or lacks a field.
  public required init?(coder: NSCoder) {
    let read = coder.decodeContents { reader -> (HKWorkoutActivity, [HKWorkoutEvent])? in
      guard let activity = HKWorkoutActivity.read(&reader),
        let events = reader.list(HKWorkoutEvent.read)
      else { return nil }
      return (activity, events)
    }
    guard let (activity, events) = read else { return nil }
    uuid = activity.uuid
    configuration = activity.configuration
    startDate = activity.startDate
    endDate = activity.endDate
    metadata = activity.metadata
    statistics = activity.statistics
    workoutEvents = events
    super.init()
  }

  /// Encodes all fields.
  open func encode(with coder: NSCoder) {
    coder.encodeContents { writer in
      write(to: &writer)
      writer.list(workoutEvents) { $1.write(to: &$0) }
    }
  }

  /// Returns the same object, because activities are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both activities have the same `uuid`.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKWorkoutActivity)?.uuid == uuid
  }

  /// A hash of `uuid`.
  open override var hash: Int { uuid.hashValue }

  /// The class name, the activity type and the start.
  open override var description: String {
    "HKWorkoutActivity \(configuration.activityType.exportName) \(startDate.printed) \(uuid)"
  }
}
