public import Foundation

/// One activity of a workout, such as the swimming of a triathlon.
///
/// Immutable and safe to share between threads. Equal when the identifiers are.
open class HKWorkoutActivity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The identifier.
  public let uuid: UUID

  /// When it begins.
  public let startDate: Date

  /// When it ends; nil while it goes on.
  public let endDate: Date?

  /// Further facts, by metadata key.
  public let metadata: [String: Any]?

  /// What happened meanwhile, by date; of an activity that was read with its workout.
  public let workoutEvents: [HKWorkoutEvent]

  let configuration: WorkoutConfigurationValues
  let statistics: [WorkoutStatistic]

  /// What is done, and where; a copy of its own for each caller.
  open var workoutConfiguration: HKWorkoutConfiguration { HKWorkoutConfiguration(configuration) }

  /// The seconds from start to end without pauses; 0 while it goes on.
  open var duration: TimeInterval {
    guard let endDate else { return 0 }
    return WorkoutPauses(workoutEvents).activeTime(from: startDate, to: endDate)
  }

  /// The statistics of the workout's samples during the activity, by type.
  ///
  /// A sample of a cumulative type that lies in part outside counts in part.
  open var allStatistics: [HKQuantityType: HKStatistics] {
    Dictionary(
      uniqueKeysWithValues: statistics.map {
        ($0.type, $0.object(from: startDate, to: endDate ?? startDate))
      })
  }

  /// The statistics of the workout's samples of a type during the activity; nil when it has none.
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    statistics.first { $0.type == quantityType }?
      .object(from: startDate, to: endDate ?? startDate)
  }

  /// Makes an activity.
  ///
  /// Traps when a date is not finite, the end lies before the start, or metadata cannot be stored.
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

  /// An activity whose fields are checked.
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

  /// The activity with other facts of its workout's.
  func with(
    end: Date?? = nil, metadata: [String: Any]?? = nil, statistics: [WorkoutStatistic]? = nil,
    events: [HKWorkoutEvent]? = nil
  ) -> HKWorkoutActivity {
    HKWorkoutActivity(
      uuid: uuid, configuration: configuration, start: startDate, end: end ?? endDate,
      checked: metadata ?? self.metadata, statistics: statistics ?? self.statistics,
      events: events ?? workoutEvents)
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived activity.
  ///
  /// Returns `nil` when the archive is of a later version or lacks a field.
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

  /// Archives all fields.
  open func encode(with coder: NSCoder) {
    coder.encodeContents { writer in
      write(to: &writer)
      writer.list(workoutEvents) { $1.write(to: &$0) }
    }
  }

  /// Returns the activity itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same `uuid`.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKWorkoutActivity)?.uuid == uuid
  }

  /// A hash of `uuid`.
  open override var hash: Int { uuid.hashValue }

  /// The class, activity and start.
  open override var description: String {
    "HKWorkoutActivity \(configuration.activityType.exportName) \(startDate.printed) \(uuid)"
  }
}
