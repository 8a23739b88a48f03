import HealthKit
import Testing

/// The samples of workouts, and the statistics computed from them.
@Suite struct WorkoutSampleTests {
  let store = HKHealthStore.inMemory()

  private func run(_ offset: TimeInterval = 0) -> HKWorkout {
    HKWorkout(
      activityType: .running, start: start.addingTimeInterval(offset),
      end: start.addingTimeInterval(offset + 600))
  }

  private func found(_ workout: HKWorkout) async throws -> HKWorkout {
    let predicate = HKQuery.predicateForObject(with: workout.uuid)
    let samples = try await store.samples(.workoutType(), predicate: predicate)
    return try #require(samples.first as? HKWorkout)
  }

  private func beats(of workout: HKWorkout) async throws -> [Double] {
    try await store.samples(heartRate, predicate: HKQuery.predicateForObjects(from: workout)).beats
  }

  @Test func `samples added to a workout are saved and belong only to it`() async throws {
    let (one, other) = (run(), run())
    try await store.save([one, other])
    try await store.save(beat(50, 3))
    try await store.addSamples([beat(60, 1), beat(70, 2)], to: one)
    try await store.addSamples([beat(80, 1)], to: other)
    #expect(try await beats(of: one) == [60, 70])
    #expect(try await beats(of: other) == [80])
    #expect(try await store.samples(heartRate).count == 4)
    #expect(
      try await store.samples(steps, predicate: HKQuery.predicateForObjects(from: one)).isEmpty)
  }

  @Test func `samples that were saved before can be added once`() async throws {
    let workout = run()
    let sample = beat(60, 1)
    try await store.save([workout, sample])
    for _ in 0..<2 { try await store.addSamples([sample, sample], to: workout) }
    #expect(try await beats(of: workout) == [60])
    #expect(try await store.samples(heartRate).count == 1)
    let sum = beat(100, 2)
    try await store.addSamples([sample, sum], to: workout)
    let statistics = try #require(try await found(workout).statistics(for: heartRate))
    #expect(statistics.averageQuantity()?.doubleValue(for: beatsPerMinute) == 80)
  }

  @Test func `samples cannot be added to a workout that is not saved`() async throws {
    let error = await #expect(throws: HKError.self) {
      try await store.addSamples([beat(60)], to: run())
    }
    #expect(error?.code == .errorInvalidArgument)
    #expect(try await store.samples(heartRate).isEmpty)
  }

  @Test func `the handler form reports success`() async throws {
    let workout = run()
    try await store.save(workout)
    let isDone = await withCheckedContinuation { continuation in
      store.add([beat(60)], to: workout) { success, _ in continuation.resume(returning: success) }
    }
    #expect(isDone)
  }

  @Test func `statistics sum, average and compare the added samples at each step`() async throws {
    let workout = run()
    try await store.save(workout)
    try await store.addSamples([beat(60, 1), beat(90, 2), walk(100, 0)], to: workout)
    try await store.addSamples([beat(150, 3), walk(50, 60)], to: workout)
    let found = try await found(workout)
    #expect(Set(found.allStatistics.keys) == [heartRate, steps])
    let beats = try #require(found.statistics(for: heartRate))
    #expect(beats.averageQuantity()?.doubleValue(for: beatsPerMinute) == 100)
    #expect(beats.minimumQuantity()?.doubleValue(for: beatsPerMinute) == 60)
    #expect(beats.maximumQuantity()?.doubleValue(for: beatsPerMinute) == 150)
    #expect(beats.mostRecentQuantity()?.doubleValue(for: beatsPerMinute) == 150)
    #expect(beats.sumQuantity() == nil)
    #expect(beats.startDate == found.startDate && beats.endDate == found.endDate)
    let walked = try #require(found.statistics(for: steps))
    #expect(walked.sumQuantity()?.doubleValue(for: .count()) == 150)
    #expect(walked.averageQuantity() == nil)
    #expect(found.workoutActivities.first?.statistics(for: steps) == walked)
    // The saved properties do not change.
    #expect(found.totalEnergyBurned == nil && found.endDate == workout.endDate)
  }

  @Test func `an activity has the part of a sum that lies in it`() async throws {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .walking
    let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
    try await builder.beginCollection(at: start)
    // 100 steps in the minute from second 60, of which 45 seconds are in the activity.
    try await builder.addWorkoutActivity(
      HKWorkoutActivity(
        workoutConfiguration: configuration, start: start.addingTimeInterval(75),
        end: start.addingTimeInterval(300), metadata: nil))
    try await builder.addSamples([walk(100, 60), beat(70, 10), beat(90, 80)])
    try await builder.endCollection(at: start.addingTimeInterval(600))
    let workout = try #require(try await builder.finishWorkout())
    let activity = try #require(try await found(workout).workoutActivities.first)
    let walked = activity.statistics(for: steps)?.sumQuantity()?.doubleValue(for: .count())
    #expect(walked == 75)
    let beats = activity.statistics(for: heartRate)?.averageQuantity()
    #expect(beats?.doubleValue(for: beatsPerMinute) == 90)
  }

  @Test func `the workout has the newer version of a replaced member`() async throws {
    func version(_ number: Int, _ value: Double, _ offset: TimeInterval) -> HKQuantitySample {
      beat(
        value, offset,
        metadata: [HKMetadataKeySyncIdentifier: "b", HKMetadataKeySyncVersion: number])
    }
    let workout = run()
    try await store.save(workout)
    try await store.addSamples([version(1, 60, 1)], to: workout)
    try await store.save(version(2, 65, 5000))
    #expect(try await beats(of: workout) == [65])
  }

  private func said(_ workout: HKWorkout) async throws -> [Double?] {
    let beats = try await found(workout).statistics(for: heartRate)
    return [beats?.averageQuantity(), beats?.minimumQuantity(), beats?.mostRecentQuantity()]
      .map { $0?.doubleValue(for: beatsPerMinute) }
  }

  @Test func `a deleted sample leaves the statistics, however it is deleted`() async throws {
    let workout = run()
    try await store.save(workout)
    let first = beat(60, 1)
    try await store.addSamples([first, beat(80, 2), beat(100, 3), walk(5)], to: workout)
    #expect(try await said(workout) == [80, 60, 100])
    try await store.delete(first)
    #expect(try await said(workout) == [90, 80, 100])
    let isFast = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: beatsPerMinute, doubleValue: 99))
    try await store.deleteObjects(of: heartRate, predicate: isFast)
    #expect(try await said(workout) == [80, 80, 80])
    try await store.addSamples([beat(90, 4)], to: workout)
    #expect(try await said(workout) == [85, 80, 90])
    let later = start.addingTimeInterval(86_400)
    #expect(try await store.deleteExpired(ExpiryPolicy(ages: [heartRate: 60]), asOf: later) == 2)
    #expect(try await said(workout) == [nil, nil, nil])
    #expect(try await found(workout).statistics(for: steps)?.sumQuantity() != nil)
    #expect(try await found(workout).workoutActivities.first?.allStatistics.count == 1)
  }

  @Test func `a newer version of a sample replaces it in the statistics, wherever it lies`()
    async throws
  {
    func version(_ number: Int, _ value: Double, _ offset: TimeInterval) -> HKQuantitySample {
      beat(
        value, offset,
        metadata: [HKMetadataKeySyncIdentifier: "b", HKMetadataKeySyncVersion: number])
    }
    let workout = run()
    try await store.save(workout)
    try await store.addSamples([version(1, 60, -5000), beat(70, 1)], to: workout)
    try await store.save(version(2, 80, 5000))
    #expect(try await said(workout) == [75, 70, 80])
    let last = HKQuery.predicateForSamples(
      withStart: start.addingTimeInterval(5000), end: nil, options: [])
    try await store.deleteObjects(of: heartRate, predicate: last)
    #expect(try await said(workout) == [70, 70, 70])
  }

  @Test func `predicates on workouts can be negated and combined`() async throws {
    let workout = run()
    try await store.save([workout, beat(50, 9)])
    try await store.addSamples([beat(60, 1), beat(70, 2)], to: workout)
    let within = HKQuery.predicateForObjects(from: workout)
    func read(_ predicate: NSPredicate) async throws -> [Double] {
      try await store.samples(heartRate, predicate: predicate).beats
    }
    #expect(try await read(NSCompoundPredicate(notPredicateWithSubpredicate: within)) == [50])
    let late = HKQuery.predicateForSamples(
      withStart: start.addingTimeInterval(2), end: nil, options: [])
    #expect(
      try await read(NSCompoundPredicate(andPredicateWithSubpredicates: [within, late])) == [70])
    #expect(
      try await read(NSCompoundPredicate(orPredicateWithSubpredicates: [within, late])).count == 3)
    #expect(try await read(NSPredicate(format: "%K == nil", HKPredicateKeyPathWorkout)) == [50])
    #expect(try await read(NSPredicate(format: "%K != nil", HKPredicateKeyPathWorkout)).count == 2)
    #expect(
      try await read(NSPredicate(format: "%K == %@", HKPredicateKeyPathWorkout, workout))
        == [60, 70])
  }

  @Test func `thousands of samples belong to one workout among many`() async throws {
    let workout = run()
    try await store.save(workout)
    try await store.save((0..<3000).map { beat(40, Double($0) / 10 + 0.05) })
    try await store.addSamples((0..<2000).map { beat(100, Double($0) / 10) }, to: workout)
    let found = try await beats(of: workout)
    #expect(found.count == 2000 && found.allSatisfy { $0 == 100 })
  }

  @Test func `another person's workout takes no samples`() async throws {
    let database = try HealthDatabase.inMemory()
    let (ada, bob) = (database.store(subject: "ada"), database.store(subject: "bob"))
    let workout = run()
    try await ada.save(workout)
    await #expect(throws: HKError.self) { try await bob.addSamples([beat(60)], to: workout) }
    try await ada.addSamples([beat(70)], to: workout)
    let within = HKQuery.predicateForObjects(from: workout)
    #expect(try await bob.samples(heartRate, predicate: within).isEmpty)
    #expect(try await ada.samples(heartRate, predicate: within).count == 1)
  }
}
