import HealthKit
import Testing

/// Making, saving, reading, following and deleting workouts.
@Suite struct WorkoutTests {
  let store = HKHealthStore.inMemory()
  private let energy = HKQuantity(unit: .kilocalorie(), doubleValue: 321.5)
  private let distance = HKQuantity(unit: .mile(), doubleValue: 3.1)

  private func event(
    _ type: HKWorkoutEventType, _ offset: TimeInterval, for seconds: TimeInterval = 0
  ) -> HKWorkoutEvent {
    HKWorkoutEvent(
      type: type,
      dateInterval: DateInterval(start: start.addingTimeInterval(offset), duration: seconds),
      metadata: nil)
  }

  private func run(_ events: [HKWorkoutEvent]? = nil, _ seconds: TimeInterval = 1800) -> HKWorkout {
    HKWorkout(
      activityType: .running, start: start, end: start.addingTimeInterval(seconds),
      workoutEvents: events, totalEnergyBurned: energy, totalDistance: distance, device: .local(),
      metadata: [HKMetadataKeyIndoorWorkout: true])
  }

  private func workouts(_ predicate: NSPredicate? = nil) async throws -> [HKWorkout] {
    try #require(try await store.samples(.workoutType(), predicate: predicate) as? [HKWorkout])
  }

  private func expect(_ found: HKWorkout, like workout: HKWorkout) {
    #expect(found == workout && found.hash == workout.hash)
    #expect(found.workoutActivityType == workout.workoutActivityType)
    #expect(found.duration.bitPattern == workout.duration.bitPattern)
    #expect(found.workoutEvents == workout.workoutEvents)
    #expect(found.workoutActivities == workout.workoutActivities)
    #expect(
      found.workoutActivities.map(\.workoutConfiguration)
        == workout.workoutActivities.map(\.workoutConfiguration))
    #expect(found.totalEnergyBurned == workout.totalEnergyBurned)
    #expect(found.totalDistance == workout.totalDistance)
    #expect(found.totalSwimmingStrokeCount == workout.totalSwimmingStrokeCount)
    #expect(found.totalFlightsClimbed == workout.totalFlightsClimbed)
    #expect(found.startDate == workout.startDate && found.endDate == workout.endDate)
    #expect(found.device == workout.device)
    #expect(found.metadata?.count == workout.metadata?.count)
    #expect(found.sampleType == .workoutType())
  }

  @Test func `every initialiser keeps its arguments`() {
    let end = start.addingTimeInterval(100)
    let count = HKQuantity(unit: .count(), doubleValue: 12)
    let all = [
      HKWorkout(activityType: .yoga, start: start, end: end),
      HKWorkout(
        activityType: .yoga, start: start, end: end, workoutEvents: nil, totalEnergyBurned: energy,
        totalDistance: distance, metadata: nil),
      HKWorkout(
        activityType: .yoga, start: start, end: end, workoutEvents: [], totalEnergyBurned: energy,
        totalDistance: distance, device: nil, metadata: nil),
      HKWorkout(
        activityType: .yoga, start: start, end: end, duration: 77, totalEnergyBurned: energy,
        totalDistance: distance, metadata: nil),
      HKWorkout(
        activityType: .yoga, start: start, end: end, duration: 77, totalEnergyBurned: nil,
        totalDistance: nil, device: .local(), metadata: ["k": 1]),
      HKWorkout(
        activityType: .yoga, start: start, end: end, workoutEvents: [event(.lap, 3)],
        totalEnergyBurned: energy, totalDistance: distance, totalSwimmingStrokeCount: count,
        device: nil, metadata: nil),
      HKWorkout(
        activityType: .yoga, start: start, end: end, workoutEvents: nil, totalEnergyBurned: energy,
        totalDistance: distance, totalFlightsClimbed: count, device: nil, metadata: nil),
    ]
    #expect(all.map(\.duration) == [100, 100, 100, 77, 77, 100, 100])
    #expect(
      all.map { $0.totalEnergyBurned != nil } == [false, true, true, true, false, true, true])
    #expect(all.map { $0.workoutEvents?.count } == [nil, nil, 0, nil, nil, 1, nil])
    #expect(all[5].totalSwimmingStrokeCount == count && all[5].totalFlightsClimbed == nil)
    #expect(all[6].totalFlightsClimbed == count && all[6].totalSwimmingStrokeCount == nil)
    #expect(all[4].device == .local() && all[4].metadata?["k"] as? Int == 1)
    #expect(all.allSatisfy { $0.workoutActivityType == .yoga && $0.startDate == start })
  }

  @Test func `duration excludes pauses, even one that is never resumed`() {
    #expect(run([event(.pause, 100), event(.resume, 160)]).duration == 1740)
    // Events may be in any order, and a second pause within a pause has no effect.
    #expect(
      run([event(.resume, 160), event(.pause, 100), event(.pause, 120)]).duration == 1740)
    #expect(run([event(.pause, 1000)]).duration == 1000)
    #expect(run([event(.resume, 10), event(.lap, 20, for: 60)]).duration == 1800)
    #expect(run([event(.pause, -50), event(.resume, 10)]).duration == 1790)
  }

  @Test func `events are sorted by date`() {
    let workout = run([event(.lap, 30), event(.pause, 10), event(.resume, 20)])
    #expect(workout.workoutEvents?.map(\.type) == [.pause, .resume, .lap])
  }

  @Test func `every workout has an activity, which covers all of it`() throws {
    let workout = run([event(.pause, 100), event(.resume, 160)])
    let activity = try #require(workout.workoutActivities.first)
    #expect(workout.workoutActivities.count == 1)
    #expect(activity.startDate == workout.startDate && activity.endDate == workout.endDate)
    #expect(activity.workoutConfiguration.activityType == .running)
    #expect(activity.workoutEvents.count == 2)
    #expect(activity.duration == 1740)
    #expect(activity.allStatistics.isEmpty && activity.statistics(for: heartRate) == nil)
  }

  @Test func `a workout without samples has no statistics, whatever its totals`() {
    #expect(run().allStatistics.isEmpty)
    #expect(run().statistics(for: HKQuantityType(.activeEnergyBurned)) == nil)
  }

  @Test func `a saved workout is read back unchanged`() async throws {
    let events = [
      event(.pause, 10), event(.resume, 20), event(.segment, 30, for: 50.25),
      HKWorkoutEvent(
        type: .lap, date: start.addingTimeInterval(90), metadata: ["lap": 3, "name": "née"]),
    ]
    let workout = run(events)
    try await store.save(workout)
    let found = try #require(try await workouts().first)
    expect(found, like: workout)
    #expect(found.workoutEvents?.last?.metadata?["lap"] as? Int == 3)
    #expect(found.sourceRevision == workout.sourceRevision)
  }

  @Test func `a workout survives an archive, built or read`() async throws {
    let workout = run([event(.pause, 10), event(.marker, 20)])
    try await store.save(workout)
    try await store.addSamples([beat(90, 5)], to: workout)
    let read = try #require(try await workouts().first)
    for one in [workout, read] {
      let data = try NSKeyedArchiver.archivedData(withRootObject: one, requiringSecureCoding: true)
      let again = try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: HKWorkout.self, from: data))
      expect(again, like: one)
      #expect(again.allStatistics.count == one.allStatistics.count)
    }
    #expect(read.allStatistics.count == 1)
  }

  @Test func `events, activities and configurations survive archives`() throws {
    func copy<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: object, requiringSecureCoding: true)
      return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
    }
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .swimming
    configuration.locationType = .indoor
    configuration.swimmingLocationType = .pool
    configuration.lapLength = HKQuantity(unit: .meter(), doubleValue: 25)
    #expect(try copy(configuration) == configuration)
    let lap = HKWorkoutEvent(type: .lap, date: start, metadata: ["a": true])
    #expect(try copy(lap) == lap)
    #expect(lap != event(.lap, 0) && lap == lap.copy() as? HKWorkoutEvent)
    let activity = HKWorkoutActivity(
      workoutConfiguration: configuration, start: start, end: nil, metadata: ["b": 2])
    let again = try #require(try copy(activity))
    #expect(again == activity && again.endDate == nil && again.startDate == start)
    #expect(again.workoutConfiguration == configuration)
    #expect(again.metadata?["b"] as? Int == 2)
  }

  @Test func `a configuration is copied on assignment`() {
    let configuration = HKWorkoutConfiguration()
    #expect(configuration.activityType == .other && configuration.locationType == .unknown)
    let activity = HKWorkoutActivity(
      workoutConfiguration: configuration, start: start, end: nil, metadata: nil)
    configuration.activityType = .rowing
    activity.workoutConfiguration.activityType = .golf
    #expect(activity.workoutConfiguration.activityType == .other)
    let copy = configuration.copy() as? HKWorkoutConfiguration
    #expect(copy == configuration && copy !== configuration)
  }

  @Test func `a feed reports workouts and their deletion`() async throws {
    let workout = run()
    try await store.save(workout)
    let first = try await store.anchored(.workoutType(), anchor: nil)
    #expect(first.samples == [workout])
    try await store.addSamples([beat(100, 1)], to: workout)
    try await store.delete(workout)
    let second = try await store.anchored(.workoutType(), anchor: first.anchor)
    #expect(second.samples?.isEmpty == true)
    #expect(second.deleted?.map(\.uuid) == [workout.uuid])
    #expect(try await workouts().isEmpty)
    // Members remain.
    #expect(try await store.samples(heartRate).beats == [100])
    let within = HKQuery.predicateForObjects(from: workout)
    #expect(try await store.samples(heartRate, predicate: within).isEmpty)
  }

  @Test func `an invalid workout is refused with the reason`() {
    let metre = HKQuantity(unit: .meter(), doubleValue: 1)
    #expect(throws: HKInvalidSampleError.self) {
      try HKWorkout.validated(
        activityType: .running, start: start, end: start, totalEnergyBurned: metre)
    }
    #expect(throws: HKInvalidSampleError.self) {
      try HKWorkout.validated(activityType: .running, start: start, end: start, duration: -1)
    }
    #expect(throws: HKInvalidSampleError.endBeforeStart(type: "HKWorkoutTypeIdentifier")) {
      try HKWorkout.validated(
        activityType: .running, start: start, end: start.addingTimeInterval(-1))
    }
    #expect(throws: HKInvalidSampleError.self) {
      try HKWorkoutEvent.validated(
        type: .lap, dateInterval: DateInterval(start: start, duration: 1),
        metadata: ["x": [1]])
    }
  }

  @Test func `constructing an invalid workout traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKWorkout(activityType: .running, start: .now, end: .distantPast)
    }
  }

  @Test func `workouts are sorted by duration and totals`() async throws {
    for (seconds, metres) in [(300.0, 2.0), (100, 3), (200, 1)] {
      try await store.save(
        HKWorkout(
          activityType: .hiking, start: start, end: start.addingTimeInterval(seconds),
          workoutEvents: nil, totalEnergyBurned: nil,
          totalDistance: HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: metres),
          metadata: nil))
    }
    func durations(_ key: String) async throws -> [Double] {
      try await store.samples(
        .workoutType(), sort: [NSSortDescriptor(key: key, ascending: true)]
      ).compactMap { ($0 as? HKWorkout)?.duration }
    }
    #expect(try await durations(HKWorkoutSortIdentifierDuration) == [100, 200, 300])
    #expect(try await durations(HKWorkoutSortIdentifierTotalDistance) == [200, 300, 100])
    let latest: [HKWorkout] = try await HKSampleQueryDescriptor(
      predicates: [.workout()], sortDescriptors: [SortDescriptor(\.duration, order: .reverse)],
      limit: 1
    ).result(for: store)
    #expect(latest.map(\.duration) == [300])
  }

  @Test func `a newer version of a workout keeps its samples and their statistics`() async throws {
    func version(_ number: Int) -> HKWorkout {
      HKWorkout(
        activityType: .running, start: start, end: start.addingTimeInterval(60 * Double(number)),
        workoutEvents: nil, totalEnergyBurned: nil, totalDistance: nil,
        metadata: [HKMetadataKeySyncIdentifier: "run", HKMetadataKeySyncVersion: number])
    }
    let (old, new) = (version(1), version(2))
    try await store.save(old)
    try await store.addSamples([beat(100, 1), beat(120, 2)], to: old)
    try await store.save(new)
    #expect(try await workouts() == [new])
    let within = HKQuery.predicateForObjects(from: new)
    #expect(try await store.samples(heartRate, predicate: within).beats == [100, 120])
    let found = try #require(try await workouts().first)
    let average = found.statistics(for: heartRate)?.averageQuantity()
    #expect(average?.doubleValue(for: beatsPerMinute) == 110)
    try await store.addSamples([beat(140, 3)], to: new)
    #expect(try await store.samples(heartRate, predicate: within).count == 3)
  }

  @Test func `workouts survive a backup`() async throws {
    let directory = TemporaryDirectory()
    let (live, copy) = (
      directory.url.appendingPathComponent("live"), directory.url.appendingPathComponent("copy")
    )
    let store = try HKHealthStore(directory: live)
    let workout = run([event(.pause, 10)])
    try await store.save(workout)
    try await store.addSamples([beat(100, 1)], to: workout)
    try await store.backup(to: copy)
    let restored = try HKHealthStore(directory: copy, mode: .readOnly)
    let found = try #require(try await restored.samples(.workoutType()).first as? HKWorkout)
    expect(found, like: workout)
    let within = HKQuery.predicateForObjects(from: found)
    #expect(try await restored.samples(heartRate, predicate: within).beats == [100])
    #expect(found.statistics(for: heartRate) != nil)
  }
}
