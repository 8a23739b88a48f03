import HealthKit
import HealthKitTesting
import Testing

/// Workout sessions on a watch that the test controls.
@Suite struct WorkoutSessionTests {
  private let health: TestHealthData
  private let store: HKHealthStore
  private let configuration = HKWorkoutConfiguration()
  private let log = SessionLog()
  private let heartRate = HKQuantityType(.heartRate)
  private let beats = HKUnit(from: "count/min")

  init() throws {
    health = try TestHealthData()
    store = health.store
    configuration.activityType = .running
    configuration.locationType = .outdoor
  }

  private func session() throws -> HKWorkoutSession {
    let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
    let builder = session.associatedWorkoutBuilder()
    builder.dataSource = HKLiveWorkoutDataSource(
      healthStore: store, workoutConfiguration: configuration)
    session.delegate = log
    builder.delegate = log
    return session
  }

  private func pass(_ seconds: TimeInterval) { health.clock.advance(by: seconds) }

  private func beat(_ value: Double) async throws {
    try await health.watch.collect(HKQuantity(unit: beats, doubleValue: value), of: heartRate)
  }

  private func lines() async -> [String] {
    await health.watch.settle()
    return log.take()
  }

  @available(*, deprecated, message: "As the members that it calls.")
  @Test func `the deprecated members run a session of the store that starts it`() async throws {
    let sessions = [
      HKWorkoutSession(activityType: .running, locationType: .outdoor),
      try HKWorkoutSession(configuration: configuration),
      try HKWorkoutSession(healthStore: store, configuration: configuration),
    ]
    for session in sessions {
      session.delegate = log
      #expect(session.state == .notStarted && session.activityType == .running)
      #expect(session.locationType == .outdoor)
      let start = health.clock.now
      store.start(session)
      let builder = session.associatedWorkoutBuilder()
      #expect(builder === session.associatedWorkoutBuilder())
      try await builder.beginCollection(at: start)
      #expect(health.watch.isRecording)
      pass(60)
      store.pause(session)
      store.resumeWorkoutSession(session)
      store.end(session)
      #expect(!health.watch.isRecording && session.state == .ended)
      #expect(
        await lines() == [
          "notStarted→running", "running→paused", "event 1", "paused→running", "event 2",
          "running→ended",
        ])
      try await builder.endCollection(at: health.clock.now)
      let workout = try await builder.finishWorkout()
      let found = try await HKSampleQueryDescriptor(
        predicates: [.workout(HKQuery.predicateForObject(with: try #require(workout).uuid))],
        sortDescriptors: []
      ).result(for: store)
      #expect(found.count == 1)
    }
    #expect(throws: HKError.self) {
      configuration.activityType = .swimming
      _ = try HKWorkoutSession(configuration: configuration)
    }
  }

  @Test func `a session passes through its states and reports each change in order`() async throws {
    let session = try session()
    #expect(session.state == .notStarted && session.startDate == nil)
    let start = health.clock.now
    session.prepare()
    session.startActivity(with: nil)
    pass(60)
    session.pause()
    pass(30)
    session.resume()
    pass(10)
    session.stopActivity(with: nil)
    #expect(session.state == .stopped && health.watch.isRecording)
    pass(5)
    session.end()
    #expect(session.state == .ended && !health.watch.isRecording)
    #expect(session.startDate == start && session.endDate == start.addingTimeInterval(100))
    #expect(session.type == .primary && session.activityType == .running)
    #expect(session.locationType == .outdoor)
    #expect(
      await lines() == [
        "notStarted→prepared", "prepared→running", "running→paused", "event 1", "paused→running",
        "event 2", "running→stopped", "stopped→ended",
      ])
    #expect(!log.wasCalledOnCaller)
  }

  @Test func `a transition that the state does not allow is reported and changes nothing`()
    async throws
  {
    let session = try session()
    session.pause()
    session.resume()
    session.stopActivity(with: nil)
    session.endCurrentActivity(on: health.clock.now)
    session.startActivity(with: health.clock.now)
    session.startActivity(with: nil)
    session.endCurrentActivity(on: health.clock.now)
    session.stopActivity(with: health.clock.now.addingTimeInterval(-1))
    #expect(session.state == .running)
    session.end()
    session.end()
    let failure = "failed \(HKError.Code.errorInvalidArgument.rawValue)"
    #expect(
      await lines() == [failure, failure, failure, failure, "notStarted→running", failure, failure]
        + [failure, "running→ended", failure])
  }

  @Test func `the wearer begins, pauses, resumes and ends on the watch`() async throws {
    let session = try session()
    health.watch.begin()
    health.watch.pause()
    health.watch.resume()
    health.watch.generate(.lap)
    health.watch.end()
    #expect(session.state == .ended)
    #expect(
      await lines() == [
        "notStarted→running", "running→paused", "event 1", "paused→running", "event 2", "event 3",
        "running→ended",
      ])
  }

  @Test func `measurements of the watch become the workout, with live statistics`() async throws {
    let session = try session()
    let builder = session.associatedWorkoutBuilder()
    #expect(builder === session.associatedWorkoutBuilder() && builder.workoutSession === session)
    session.startActivity(with: nil)
    try await beat(50)
    try await builder.beginCollection(at: health.clock.now)
    pass(10)
    try await beat(100)
    #expect(
      builder.statistics(for: heartRate)?.mostRecentQuantity()?.doubleValue(for: beats) == 100)
    pass(10)
    session.pause()
    pass(100)
    try await beat(70)
    session.resume()
    try await beat(140)
    pass(10)
    let average = builder.statistics(for: heartRate)?.averageQuantity()
    #expect(average?.doubleValue(for: beats) == 120)
    #expect(builder.elapsedTime == 30)
    #expect(builder.workoutEvents.map(\.type) == [.pause, .resume])
    try await health.watch.collect(
      HKQuantity(unit: .count(), doubleValue: 5), of: HKQuantityType(.flightsClimbed))
    session.stopActivity(with: nil)
    try await builder.endCollection(at: health.clock.now)
    let workout = try #require(try await builder.finishWorkout())
    session.end()
    #expect(workout.duration == 30 && workout.workoutEvents?.count == 2)
    let found = try await HKSampleQueryDescriptor(
      predicates: [
        .quantitySample(type: heartRate, predicate: HKQuery.predicateForObjects(from: workout))
      ], sortDescriptors: []
    ).result(for: store)
    #expect(found.map { $0.quantity.doubleValue(for: beats) } == [100, 140])
    let all = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], sortDescriptors: []
    ).result(for: store)
    #expect(all.count == 2, "only the requested types are collected")
    #expect(
      await lines() == [
        "notStarted→running", "collected HeartRate", "running→paused", "event 1", "builder event",
        "paused→running", "event 2", "builder event", "collected HeartRate", "running→stopped",
        "stopped→ended",
      ])
  }

  @Test func `a data source determines the types that are collected`() async throws {
    let session = try session()
    let builder = session.associatedWorkoutBuilder()
    let source = try #require(builder.dataSource)
    #expect(
      source.typesToCollect == [
        heartRate, HKQuantityType(.activeEnergyBurned), HKQuantityType(.basalEnergyBurned),
        HKQuantityType(.distanceWalkingRunning),
      ])
    #expect(
      HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil).typesToCollect == [])
    source.enableCollection(
      for: heartRate,
      predicate: HKQuery.predicateForQuantitySamples(
        with: .greaterThan, quantity: HKQuantity(unit: beats, doubleValue: 100)))
    source.disableCollection(for: HKQuantityType(.activeEnergyBurned))
    session.startActivity(with: nil)
    try await builder.beginCollection(at: health.clock.now)
    try await beat(90)
    try await beat(110)
    try await health.watch.collect(
      HKQuantity(unit: .kilocalorie(), doubleValue: 5), of: HKQuantityType(.activeEnergyBurned))
    #expect(builder.allStatistics.count == 1)
    let least = builder.statistics(for: heartRate)?.minimumQuantity()
    #expect(least?.doubleValue(for: beats) == 110)
    builder.shouldCollectWorkoutEvents = false
    session.pause()
    #expect(builder.workoutEvents.isEmpty)
    session.end()
  }

  @Test func `activities follow each other and belong to the workout`() async throws {
    let session = try session()
    let builder = session.associatedWorkoutBuilder()
    #expect(builder.currentWorkoutActivity == nil)
    let start = health.clock.now
    session.startActivity(with: start)
    try await builder.beginCollection(at: start)
    #expect(session.currentActivity.workoutConfiguration.activityType == .running)
    for type in [HKWorkoutActivityType.swimming, .cycling] {
      let next = HKWorkoutConfiguration()
      next.activityType = type
      session.beginNewActivity(
        configuration: next, date: health.clock.now, metadata: ["sport": "\(type.rawValue)"])
      #expect(builder.currentWorkoutActivity == session.currentActivity)
      pass(60)
    }
    session.endCurrentActivity(on: health.clock.now)
    #expect(session.currentActivity.workoutConfiguration.activityType == .running)
    session.stopActivity(with: nil)
    try await builder.endCollection(at: health.clock.now)
    let workout = try #require(try await builder.finishWorkout())
    session.end()
    let types = workout.workoutActivities.map(\.workoutConfiguration.activityType)
    #expect(types == [.swimming, .cycling])
    #expect(workout.workoutActivities.map(\.duration) == [60, 60])
    #expect(workout.workoutActivities.first?.metadata?["sport"] as? String == "46")
    #expect(
      await lines() == [
        "notStarted→running", "begin 46", "builder begin 46", "end 46", "builder end 46",
        "begin 13", "builder begin 13", "end 13", "builder end 13", "running→stopped",
        "stopped→ended",
      ])
  }

  @Test func `samples that the program adds are reported`() async throws {
    let session = try session()
    let builder = session.associatedWorkoutBuilder()
    try await builder.beginCollection(at: health.clock.now)
    try await builder.addSamples([
      HKQuantitySample(
        type: heartRate, quantity: HKQuantity(unit: beats, doubleValue: 80),
        start: health.clock.now, end: health.clock.now)
    ])
    try await builder.addWorkoutEvents([HKWorkoutEvent(type: .lap, date: health.clock.now)])
    #expect(await lines() == ["collected HeartRate", "builder event"])
    session.end()
  }

  @Test func `a session is recovered after the program has released it`() async throws {
    #expect(try await store.recoverActiveWorkoutSession() == nil)
    let start = health.clock.now
    weak var released: HKWorkoutSession?
    try await {
      let session = try self.session()
      released = session
      session.startActivity(with: start)
      try await session.associatedWorkoutBuilder().beginCollection(at: start)
      try await beat(100)
    }()
    // A call that has completed on another thread may retain it for a moment.
    while released != nil { await Task.yield() }
    _ = await lines()
    pass(60)
    health.watch.pause()
    health.watch.resume()
    try await beat(120)
    let app = health.app()
    let session = try #require(try await app.recoverActiveWorkoutSession())
    #expect(session.state == .running && session.startDate == start && session.delegate == nil)
    let builder = session.associatedWorkoutBuilder()
    #expect(builder.elapsedTime == 60 && builder.workoutEvents.count == 2)
    #expect(
      builder.statistics(for: heartRate)?.averageQuantity()?.doubleValue(for: beats) == 110)
    let again = try await app.recoverActiveWorkoutSession()
    #expect(again === session)
    session.delegate = log
    session.end()
    #expect(await lines() == ["running→ended"])
    #expect(try await app.recoverActiveWorkoutSession() == nil)
  }

  @Test func `another session ends the one before`() async throws {
    let first = try session()
    first.startActivity(with: nil)
    let second = try HKWorkoutSession(healthStore: health.app(), configuration: configuration)
    second.startActivity(with: nil)
    #expect(first.state == .ended && second.state == .running)
    second.end()
    #expect(
      await lines() == [
        "notStarted→running", "running→ended",
        "failed \(HKError.Code.errorAnotherWorkoutSessionStarted.rawValue)",
      ])
  }

  @Test func `swimming needs a location, and in a pool a lap length`() throws {
    configuration.activityType = .swimming
    #expect(throws: HKError.self) { try session() }
    configuration.swimmingLocationType = .pool
    #expect(throws: HKError.self) { try session() }
    configuration.lapLength = HKQuantity(unit: .meter(), doubleValue: 25)
    #expect(try session().state == .notStarted)
  }

  @Test func `the phone starts the program on a paired watch`() async throws {
    let error = await #expect(throws: HKError.self) {
      try await store.startWatchApp(toHandle: configuration)
    }
    #expect(error?.code == .errorHealthDataUnavailable)
    let (activities, continuation) = AsyncStream.makeStream(of: HKWorkoutActivityType.self)
    health.watch.whenStarted { continuation.yield($0.activityType) }
    try await store.startWatchApp(toHandle: configuration)
    var iterator = activities.makeAsyncIterator()
    #expect(await iterator.next() == .running)
  }

  @Test func `mirroring is refused`() async throws {
    store.workoutSessionMirroringStartHandler = { _ in }
    #expect(store.workoutSessionMirroringStartHandler != nil)
    let session = try session()
    for call in [
      { try await session.sendToRemoteWorkoutSession(data: Data()) },
      { try await session.startMirroringToCompanionDevice() },
      { try await session.stopMirroringToCompanionDevice() },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: HKError.self) { try await call() }
      #expect(error?.code == .errorHealthDataUnavailable)
    }
  }
}

/// Records the calls of delegates.
private final class SessionLog: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate,
  @unchecked Sendable
{
  private let lock = NSLock()
  private let caller = Thread.current
  private var lines: [String] = []
  private var isOnCaller = false

  var wasCalledOnCaller: Bool { lock.withLock { isOnCaller } }

  func take() -> [String] {
    lock.withLock {
      defer { lines = [] }
      return lines
    }
  }

  private func add(_ line: String) {
    lock.withLock {
      lines.append(line)
      if Thread.current === caller { isOnCaller = true }
    }
  }

  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date
  ) { add("\(fromState)→\(toState)") }

  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
    add("failed \((error as? HKError)?.code.rawValue ?? -1)")
  }

  func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
    add("event \(event.type.rawValue)")
  }

  func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) { add("begin \(workoutConfiguration.activityType.rawValue)") }

  func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) { add("end \(workoutConfiguration.activityType.rawValue)") }

  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
  ) {
    let names = collectedTypes.map {
      $0.identifier.replacingOccurrences(of: "HKQuantityTypeIdentifier", with: "")
    }
    add("collected \(names.sorted().joined(separator: ", "))")
  }

  func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {
    add("builder event")
  }

  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity
  ) { add("builder begin \(workoutActivity.workoutConfiguration.activityType.rawValue)") }

  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity
  ) { add("builder end \(workoutActivity.workoutConfiguration.activityType.rawValue)") }
}
