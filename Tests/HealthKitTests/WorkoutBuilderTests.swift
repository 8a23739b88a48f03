import CoreLocation
import HealthKit
import Testing

/// Workouts built while they take place.
@Suite struct WorkoutBuilderTests {
  let store = HKHealthStore.inMemory()
  let builder: HKWorkoutBuilder

  init() {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .cycling
    configuration.locationType = .outdoor
    builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: .local())
  }

  private func at(_ offset: TimeInterval) -> Date { start.addingTimeInterval(offset) }

  private func quantity(
    _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, _ offset: TimeInterval
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value),
      start: at(offset), end: at(offset + 10))
  }

  private func code(_ body: () async throws -> Void) async -> HKError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? HKError)?.code
    }
  }

  @Test func `the workout has everything that the builder collected`() async throws {
    try await builder.beginCollection(at: start)
    try await builder.addSamples([
      beat(100, 1), quantity(.activeEnergyBurned, 12.5, .kilocalorie(), 5),
      quantity(.distanceCycling, 300, .meter(), 5),
    ])
    try await builder.addSamples([beat(140, 20), quantity(.distanceCycling, 200, .meter(), 30)])
    try await builder.addWorkoutEvents([
      HKWorkoutEvent(type: .resume, date: at(60)), HKWorkoutEvent(type: .pause, date: at(50)),
    ])
    try await builder.addMetadata([HKMetadataKeyIndoorWorkout: false, "a": 1])
    try await builder.addMetadata(["a": 2])
    #expect(
      builder.statistics(for: heartRate)?.averageQuantity()?.doubleValue(for: beatsPerMinute) == 120
    )
    #expect(builder.allStatistics.count == 3)
    #expect(builder.elapsedTime(at: at(55)) == 50)
    #expect(builder.elapsedTime(at: at(100)) == 90)
    try await builder.endCollection(at: at(120))
    #expect(builder.elapsedTime(at: at(1000)) == 110)
    let made = try #require(try await builder.finishWorkout())
    let found = try #require(try await store.samples(.workoutType()).first as? HKWorkout)
    for workout in [made, found] {
      #expect(workout == made)
      #expect(workout.startDate == start && workout.endDate == at(120))
      #expect(workout.duration == 110)
      #expect(workout.workoutActivityType == .cycling)
      #expect(workout.workoutEvents?.map(\.type) == [.pause, .resume])
      #expect(workout.metadata?["a"] as? Int == 2 && workout.metadata?.count == 2)
      #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) == 12.5)
      #expect(workout.totalDistance?.doubleValue(for: .meter()) == 500)
      #expect(workout.device == .local())
      #expect(workout.workoutActivities.first?.workoutConfiguration.locationType == .outdoor)
      #expect(workout.statistics(for: heartRate) != nil && workout.allStatistics.count == 3)
    }
    let within = HKQuery.predicateForObjects(from: found)
    #expect(try await store.samples(heartRate, predicate: within).beats == [100, 140])
    let ridden = HKQuantityType(.distanceCycling)
    #expect(try await store.samples(ridden, predicate: within).count == 2)
  }

  @Test func `calls in the wrong order are errors that change nothing`() async throws {
    #expect(builder.startDate == nil && builder.elapsedTime(at: start) == 0)
    #expect(await code { try await builder.addSamples([beat(60)]) } == .errorInvalidArgument)
    #expect(await code { try await builder.endCollection(at: start) } == .errorInvalidArgument)
    try await builder.beginCollection(at: start)
    #expect(await code { try await builder.beginCollection(at: at(1)) } == .errorInvalidArgument)
    #expect(await code { _ = try await builder.finishWorkout() } == .errorInvalidArgument)
    #expect(await code { try await builder.endCollection(at: at(-1)) } == .errorInvalidArgument)
    try await builder.endCollection(at: at(10))
    #expect(await code { try await builder.endCollection(at: at(20)) } == .errorInvalidArgument)
    #expect(builder.startDate == start && builder.endDate == at(10))
    _ = try await builder.finishWorkout()
    #expect(await code { _ = try await builder.finishWorkout() } == .errorInvalidArgument)
    #expect(await code { try await builder.addMetadata(["a": 1]) } == .errorInvalidArgument)
    #expect(try await store.samples(.workoutType()).count == 1)
    #expect(try await store.samples(heartRate).isEmpty)
  }

  @Test func `discarding a workout keeps only its samples`() async throws {
    try await builder.beginCollection(at: start)
    try await builder.addSamples([beat(60)])
    builder.discardWorkout()
    #expect(await code { _ = try await builder.finishWorkout() } == .errorInvalidArgument)
    #expect(try await store.samples(heartRate).count == 1)
    #expect(try await store.samples(.workoutType()).isEmpty)
  }

  @Test func `activities are ended, described and kept within the workout`() async throws {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .swimming
    let swim = HKWorkoutActivity(
      workoutConfiguration: configuration, start: at(10), end: nil, metadata: ["leg": 1])
    let late = HKWorkoutActivity(
      workoutConfiguration: configuration, start: at(50), end: at(200), metadata: nil)
    try await builder.beginCollection(at: start)
    try await builder.addWorkoutActivity(swim)
    #expect(await code { try await builder.addWorkoutActivity(swim) } == .errorInvalidArgument)
    try await builder.updateActivity(uuid: swim.uuid, end: at(40))
    try await builder.updateActivity(uuid: swim.uuid, adding: ["name": "swim"])
    #expect(
      await code { try await builder.updateActivity(uuid: UUID(), end: at(1)) }
        == .errorInvalidArgument)
    #expect(
      await code { try await builder.updateActivity(uuid: swim.uuid, end: at(1)) }
        == .errorInvalidArgument)
    try await builder.addWorkoutActivity(late)
    try await builder.endCollection(at: at(100))
    // One ends after the workout. The builder remains usable, so this can be corrected.
    #expect(await code { _ = try await builder.finishWorkout() } == .errorInvalidArgument)
    try await builder.updateActivity(uuid: late.uuid, end: at(100))
    let workout = try #require(try await builder.finishWorkout())
    #expect(workout.workoutActivities.map(\.uuid) == [swim.uuid, late.uuid])
    let first = try #require(workout.workoutActivities.first)
    #expect(first.endDate == at(40) && first.duration == 30)
    #expect(first.metadata?["leg"] as? Int == 1 && first.metadata?["name"] as? String == "swim")
  }

  @Test func `a builder remains usable after saving its workout fails`() async throws {
    try await builder.beginCollection(at: start)
    try await builder.endCollection(at: at(10))
    try await builder.addMetadata([HKMetadataKeySyncIdentifier: "w"])
    #expect(await code { _ = try await builder.finishWorkout() } == .errorInvalidArgument)
    try await builder.addMetadata([HKMetadataKeySyncVersion: 1])
    #expect(try await builder.finishWorkout() != nil)
  }

  @Test func `the forms with handlers behave the same`() async throws {
    let workout: HKWorkout? = try await withFencedContinuation { continuation in
      builder.beginCollection(withStart: start) { _, _ in
        builder.add([beat(60, 1)]) { _, _ in
          builder.addWorkoutEvents([HKWorkoutEvent(type: .lap, date: at(1))]) { _, _ in
            builder.addMetadata(["k": 1]) { _, _ in
              builder.endCollection(withEnd: at(5)) { _, _ in
                builder.finishWorkout { workout, error in
                  if let error {
                    continuation.resume(throwing: error)
                  } else {
                    continuation.resume(returning: workout)
                  }
                }
              }
            }
          }
        }
      }
    }
    #expect(workout?.workoutEvents?.count == 1)
    #expect(workout?.statistics(for: heartRate) != nil)
  }

  @Test func `a sample deleted before the workout is finished is not in its statistics`()
    async throws
  {
    try await builder.beginCollection(at: start)
    let slow = beat(60, 1)
    try await builder.addSamples([slow, beat(80, 2)])
    try await builder.endCollection(at: start.addingTimeInterval(60))
    try await store.delete(slow)
    let workout = try #require(try await builder.finishWorkout())
    let found = try await store.samples(
      .workoutType(), predicate: HKQuery.predicateForObject(with: workout.uuid))
    let said = (found.first as? HKWorkout)?.statistics(for: heartRate)
    #expect(said?.minimumQuantity()?.doubleValue(for: beatsPerMinute) == 80)
  }

  private func location(_ offset: TimeInterval) -> CLLocation {
    CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 50 + offset / 1000, longitude: 6), altitude: 0,
      horizontalAccuracy: 5, verticalAccuracy: 5, timestamp: at(offset))
  }

  @Test func `the builder's series are finished with the workout and belong to it`()
    async throws
  {
    #expect(builder.seriesBuilder(for: .heartbeat()) == nil, "the start date is unknown")
    try await builder.beginCollection(at: start)
    let route = try #require(
      builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
    #expect(builder.seriesBuilder(for: .workoutRoute()) === route)
    let beats = try #require(
      builder.seriesBuilder(for: .heartbeat()) as? HKHeartbeatSeriesBuilder)
    try await route.insertRouteData([location(1), location(2), location(3)])
    try await route.addMetadata(["lap": 4])
    try await beats.addHeartbeat(at: 0.5, precededByGap: false)
    try await builder.endCollection(at: at(60))
    let workout = try #require(try await builder.finishWorkout())
    let within = HKQuery.predicateForObjects(from: workout)
    let routes = try await store.samples(HKSeriesType.workoutRoute(), predicate: within)
    #expect((routes as? [HKWorkoutRoute])?.map(\.count) == [3])
    #expect(routes.first?.metadata?["lap"] as? Int == 4)
    #expect(routes.first?.device == .local())
    let series = try await store.samples(HKSeriesType.heartbeat(), predicate: within)
    #expect((series as? [HKHeartbeatSeriesSample])?.map(\.count) == [1])
    #expect(await code { try await route.insertRouteData([location(4)]) } == .errorInvalidArgument)
    #expect(builder.seriesBuilder(for: .workoutRoute()) == nil)
  }

  @Test func `a series finished earlier belongs to the workout, and an empty one does not`()
    async throws
  {
    try await builder.beginCollection(at: start)
    _ = builder.seriesBuilder(for: .workoutRoute())
    let beats = try #require(
      builder.seriesBuilder(for: .heartbeat()) as? HKHeartbeatSeriesBuilder)
    try await beats.addHeartbeat(at: 1, precededByGap: false)
    let series = try await beats.finishSeries()
    try await builder.endCollection(at: at(60))
    let workout = try #require(try await builder.finishWorkout())
    let within = HKQuery.predicateForObjects(from: workout)
    #expect(try await store.samples(HKSeriesType.heartbeat(), predicate: within) == [series])
    #expect(try await store.samples(HKSeriesType.workoutRoute()).isEmpty)
  }

  @Test func `discarding a workout discards its series, and a failure leaves them open`()
    async throws
  {
    try await builder.beginCollection(at: start)
    let route = try #require(
      builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
    try await route.insertRouteData([location(1)])
    #expect(await code { _ = try await builder.finishWorkout() } == .errorInvalidArgument)
    try await route.insertRouteData([location(2)])
    builder.discardWorkout()
    #expect(await code { try await route.insertRouteData([location(3)]) } == .errorInvalidArgument)
    #expect(try await store.samples(HKSeriesType.workoutRoute()).isEmpty)
  }
}
