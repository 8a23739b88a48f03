import Foundation

/// The data collected by a workout builder.
struct WorkoutBuilderState: Sendable {
  var start: Date?
  var end: Date?
  var metadata = SharedMetadata()
  /// The events in ascending order of date.
  var events: [HKWorkoutEvent] = []
  var activities: [HKWorkoutActivity] = []
  private(set) var samples: [HKSample] = []
  private var sampleIDs: Set<UUID> = []
  private(set) var statistics: [WorkoutStatistic] = []
  /// The series builders in order of creation.
  private(set) var seriesBuilders: [HKSeriesBuilder] = []
  /// Whether the workout was saved or discarded.
  var isFinished = false

  /// Returns the statistics of the samples so far as a HealthKit object.
  func object(_ statistic: WorkoutStatistic) -> HKStatistics {
    let start = start ?? .distantPast
    let last = samples.map(\.endDate).max() ?? start
    return statistic.object(from: start, to: max(start, end ?? last))
  }

  mutating func begin(_ date: Date) throws {
    try checkUnfinished()
    try require(start == nil, "Collecting has begun already.")
    try require(date.timeIntervalSinceReferenceDate.isFinite, "A workout must begin at a date.")
    start = date
  }

  mutating func end(_ date: Date) throws {
    try checkCollecting()
    try require(end == nil, "Collecting has ended already.")
    try require(
      date.timeIntervalSinceReferenceDate.isFinite && start.map { $0 <= date } ?? false,
      "A workout must not end before it begins.")
    end = date
  }

  /// Throws unless samples, events and activities can be added.
  func checkCollecting() throws {
    try checkUnfinished()
    try require(start != nil, "Collecting has not begun; call beginCollection first.")
  }

  mutating func add(_ samples: [HKSample], _ values: SampleValues) throws {
    try checkCollecting()
    var known = sampleIDs
    let new = samples.filter { known.insert($0.uuid).inserted }
    let more = try WorkoutStatistic.all(of: new, values)
    sampleIDs = known
    self.samples += new
    statistics = WorkoutStatistic.joined(statistics, more)
  }

  /// Adds a saved series.
  mutating func addFinished(_ series: HKSample) {
    if !isFinished, sampleIDs.insert(series.uuid).inserted { samples.append(series) }
  }

  /// Returns the builder of a series type, created on first use, or nil if the type has none.
  mutating func seriesBuilder(
    for type: HKSeriesType, _ store: HKHealthStore, _ device: HKDevice?
  ) -> HKSeriesBuilder? {
    if isFinished { return nil }
    switch type {
    case .workoutRoute():
      if let known = seriesBuilders.first(where: { $0 is HKWorkoutRouteBuilder }) { return known }
      seriesBuilders.append(HKWorkoutRouteBuilder(healthStore: store, device: device))
    case .heartbeat():
      if let known = seriesBuilders.first(where: { $0 is HKHeartbeatSeriesBuilder }) {
        return known
      }
      guard let start else { return nil }
      seriesBuilders.append(
        HKHeartbeatSeriesBuilder(healthStore: store, device: device, start: start))
    default: return nil
    }
    return seriesBuilders.last
  }

  mutating func add(_ events: [HKWorkoutEvent]) throws {
    try checkCollecting()
    // Swift's sort is stable, so events with equal dates stay in insertion order.
    self.events = (self.events + events).sorted { $0.date < $1.date }
  }

  /// Whether the builder accepts samples from a device.
  var isCollecting: Bool { !isFinished && start != nil && end == nil }

  /// Adds an event of a session; returns whether the workout accepted it.
  mutating func take(_ event: HKWorkoutEvent) -> Bool {
    guard isCollecting else { return false }
    events = (events + [event]).sorted { $0.date < $1.date }
    return true
  }

  /// Adds an activity of a session if the builder is collecting.
  mutating func take(_ activity: HKWorkoutActivity) {
    if isCollecting { activities.append(activity) }
  }

  /// Ends an activity of a session.
  mutating func take(endOf activity: HKWorkoutActivity) {
    guard let index = activities.firstIndex(where: { $0.uuid == activity.uuid }) else { return }
    activities[index] = activities[index].with(end: .some(activity.endDate))
  }

  mutating func add(_ metadata: [String: Any]) throws {
    try checkUnfinished()
    self.metadata.value = try Metadata.normalized(
      self.metadata.value.merging(metadata) { $1 }
    ).values
  }

  mutating func add(_ activity: HKWorkoutActivity) throws {
    try checkCollecting()
    try require(
      !activities.contains { $0.uuid == activity.uuid }, "The activity was added before.")
    activities.append(activity)
  }

  mutating func updateActivity(_ id: UUID, end: Date) throws {
    let index = try index(ofActivity: id)
    try require(
      end.timeIntervalSinceReferenceDate.isFinite && activities[index].startDate <= end,
      "An activity must not end before it starts.")
    activities[index] = activities[index].with(end: .some(end))
  }

  mutating func updateActivity(_ id: UUID, adding metadata: [String: Any]) throws {
    let index = try index(ofActivity: id)
    let all = (activities[index].metadata ?? [:]).merging(metadata) { $1 }
    activities[index] = activities[index].with(
      metadata: .some(try Metadata.normalized(all).values))
  }

  private func index(ofActivity id: UUID) throws -> Int {
    try checkUnfinished()
    guard let index = activities.firstIndex(where: { $0.uuid == id }) else {
      throw HKError.make(.errorInvalidArgument, "There is no activity \(id) in the workout.")
    }
    return index
  }

  /// Returns the workout, with links to its samples and to the given series.
  mutating func finish(
    _ configuration: WorkoutConfigurationValues, _ device: HKDevice?,
    _ revision: HKSourceRevision, _ series: [HKSample], _ values: SampleValues
  ) throws -> BuiltSample {
    try checkCollecting()
    guard let start, let end else {
      throw HKError.make(
        .errorInvalidArgument, "Collecting has not ended; call endCollection first.")
    }
    let activities = try activities.map { activity in
      let ended = activity.with(end: .some(activity.endDate ?? max(end, activity.startDate)))
      return ended.with(statistics: try ended.statistics(of: samples, values))
    }
    let payload = WorkoutPayload(
      configuration, start: start, end: end, events: events.isEmpty ? nil : events,
      activities: activities, totals: WorkoutTotals(statistics), statistics: statistics)
    let built = try BuiltSample(
      validating: .workoutType(), start: start, end: end, payload: payload,
      children: WorkoutLinksPayload.all(samples + series, revision: revision), device: device,
      metadata: metadata.value.isEmpty ? nil : metadata.value, sourceRevision: nil)
    isFinished = true
    return built
  }

  private func checkUnfinished() throws {
    try require(!isFinished, "The workout was finished or discarded.")
  }

  private func require(_ isGood: Bool, _ sentence: String) throws {
    if !isGood { throw HKError.make(.errorInvalidArgument, sentence) }
  }
}
