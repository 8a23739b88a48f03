import HealthKit
import Testing

/// Samples that rate the effort of workouts.
@Suite struct WorkoutEffortTests {
  let store = HKHealthStore.inMemory()
  private let workout = HKWorkout(
    activityType: .running, start: start, end: start.addingTimeInterval(600))

  private func score(
    _ value: Double, _ offset: TimeInterval = 0,
    _ type: HKQuantityTypeIdentifier = .workoutEffortScore, version: Int? = nil
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(type),
      quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: value),
      start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset + 600),
      metadata: version.map {
        [HKMetadataKeySyncIdentifier: "score", HKMetadataKeySyncVersion: $0]
      })
  }

  private func related(
    _ option: HKWorkoutEffortRelationshipQueryOptions = .default,
    after anchor: HKQueryAnchor? = nil,
    predicate: NSPredicate? = nil
  ) async throws -> HKWorkoutEffortRelationshipQueryDescriptor.Result {
    try await HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: predicate, anchor: anchor, option: option
    ).result(for: store)
  }

  private func values(_ relationship: HKWorkoutEffortRelationship?) -> [Double]? {
    (relationship?.samples as? [HKQuantitySample])?
      .map { $0.quantity.doubleValue(for: .appleEffortScore()) }
  }

  @Test func `a sample is related to a workout once, and saved if necessary`() async throws {
    let rating = score(7)
    try await store.save(workout)
    for _ in 0..<2 {
      #expect(try await store.relateWorkoutEffortSample(rating, with: workout, activity: nil))
    }
    let found = try await related().relationships
    #expect(found.map(\.workout) == [workout] && found.first?.activity == nil)
    #expect(found.first?.samples == [rating])
    #expect(try await store.samples(HKQuantityType(.workoutEffortScore)).count == 1)
  }

  @Test func `activities have ratings of their own`() async throws {
    try await store.save(workout)
    let activity = try #require(workout.workoutActivities.first)
    try await store.relateWorkoutEffortSample(score(7), with: workout, activity: nil)
    try await store.relateWorkoutEffortSample(score(3), with: workout, activity: activity)
    let found = try await related().relationships
    #expect(found.map { $0.activity == nil } == [true, false])
    #expect(found.map(values) == [[7], [3]])
    let all = HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil)
    let one = HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: activity)
    let type = HKQuantityType(.workoutEffortScore)
    #expect(try await store.samples(type, predicate: all).count == 2)
    #expect(try await store.samples(type, predicate: one).count == 1)
  }

  @Test func `a sample that is not an effort score is refused`() async throws {
    try await store.save(workout)
    let other = HKWorkout(activityType: .yoga, start: start, end: start)
    #expect(
      await code {
        try await store.relateWorkoutEffortSample(beat(60), with: workout, activity: nil)
      } == .errorInvalidArgument)
    #expect(
      await code { try await store.relateWorkoutEffortSample(score(1), with: other, activity: nil) }
        == .errorInvalidArgument)
    #expect(
      await code {
        try await store.relateWorkoutEffortSample(
          score(1), with: workout, activity: other.workoutActivities.first)
      } == .errorInvalidArgument)
    #expect(
      await code {
        try await store.unrelateWorkoutEffortSample(score(1), from: workout, activity: nil)
      } == .errorInvalidArgument)
    #expect(try await related().relationships == [])
    #expect(try await store.samples(HKQuantityType(.workoutEffortScore)).isEmpty)
  }

  @Test func `a relationship ends when it is removed or its sample or workout is deleted`()
    async throws
  {
    let (one, two) = (score(5), score(6, 1))
    try await store.save(workout)
    try await store.relateWorkoutEffortSample(one, with: workout, activity: nil)
    try await store.relateWorkoutEffortSample(two, with: workout, activity: nil)
    try await store.unrelateWorkoutEffortSample(one, from: workout, activity: nil)
    #expect(try await related().relationships.map(values) == [[6]])
    #expect(try await store.samples(HKQuantityType(.workoutEffortScore)).count == 2)
    try await store.delete(two)
    #expect(try await related().relationships == [])
    try await store.relateWorkoutEffortSample(one, with: workout, activity: nil)
    #expect(try await related().relationships.count == 1)
    try await store.delete(workout)
    #expect(try await related().relationships == [])
    #expect(try await store.samples(HKQuantityType(.workoutEffortScore)).count == 1)
  }

  @Test func `newer versions of a sample and of a workout keep the relationship`() async throws {
    func run(_ version: Int) -> HKWorkout {
      HKWorkout(
        activityType: .running, start: start, end: start.addingTimeInterval(Double(version)),
        duration: 1, totalEnergyBurned: nil, totalDistance: nil,
        metadata: [HKMetadataKeySyncIdentifier: "run", HKMetadataKeySyncVersion: version])
    }
    let first = run(1)
    try await store.save(first)
    try await store.relateWorkoutEffortSample(score(5, version: 1), with: first, activity: nil)
    try await store.save(score(6, version: 2))
    #expect(try await related().relationships.map(values) == [[6]])
    let second = run(2)
    try await store.save(second)
    let found = try await related().relationships
    #expect(found.map(\.workout) == [second] && found.map(values) == [[6]])
    try await store.unrelateWorkoutEffortSample(
      score(0, version: 2), from: second, activity: nil)
    #expect(try await related().relationships == [])
  }

  @Test func `the most relevant sample is the latest rating, or else the latest estimate`()
    async throws
  {
    try await store.save(workout)
    for sample in [
      score(2, 9, .estimatedWorkoutEffortScore), score(3, 5, .estimatedWorkoutEffortScore),
    ] {
      try await store.relateWorkoutEffortSample(sample, with: workout, activity: nil)
    }
    #expect(try await related(.mostRelevant).relationships.map(values) == [[2]])
    for sample in [score(8, 2), score(7, 1)] {
      try await store.relateWorkoutEffortSample(sample, with: workout, activity: nil)
    }
    #expect(try await related(.mostRelevant).relationships.map(values) == [[8]])
    #expect(try await related().relationships.map(values) == [[7, 8, 3, 2]])
  }

  @Test func `an anchor returns later changes`() async throws {
    let other = HKWorkout(
      activityType: .yoga, start: start.addingTimeInterval(1000),
      end: start.addingTimeInterval(2000))
    let (one, two) = (score(5), score(6))
    try await store.save([workout, other])
    try await store.relateWorkoutEffortSample(one, with: workout, activity: nil)
    let first = try await related()
    try await store.relateWorkoutEffortSample(two, with: other, activity: nil)
    let second = try await related(after: first.newAnchor)
    #expect(second.relationships.map(\.workout) == [other])
    try await store.delete(one)
    let third = try await related(after: second.newAnchor)
    #expect(third.relationships.map(\.workout) == [workout])
    #expect(third.relationships.first?.samples == nil)
    try await store.unrelateWorkoutEffortSample(two, from: other, activity: nil)
    let fourth = try await related(after: third.newAnchor)
    #expect(fourth.relationships.map(\.workout) == [other])
    #expect(fourth.relationships.first?.samples == nil)
    #expect(try await related(after: fourth.newAnchor).relationships == [])
  }

  private let ride = HKWorkout(
    activityType: .cycling, start: start.addingTimeInterval(5000),
    end: start.addingTimeInterval(6000))

  @Test func `the predicate selects workouts, which keep all of their samples`() async throws {
    let ratings = [score(7), score(9, 5)]
    let estimate = score(2, 9, .estimatedWorkoutEffortScore)
    try await store.save([workout, ride])
    for rating in ratings + [estimate] {
      try await store.relateWorkoutEffortSample(rating, with: workout, activity: nil)
    }
    try await store.relateWorkoutEffortSample(score(4, 5000), with: ride, activity: nil)
    let mine = HKQuery.predicateForObject(with: workout.uuid)
    let all = try await related(predicate: mine).relationships
    #expect(all.map(\.workout) == [workout] && all.map(values) == [[7, 9, 2]])
    let best = try await related(.mostRelevant, predicate: mine).relationships
    #expect(best.map(\.workout) == [workout] && best.map(values) == [[9]])
    let cases: [(NSPredicate, [HKWorkout])] = [
      (HKQuery.predicateForObject(with: ratings[0].uuid), []),
      (HKQuery.predicateForWorkouts(with: .cycling), [ride]),
      (
        HKQuery.predicateForSamples(
          withStart: start.addingTimeInterval(4000), end: nil, options: .strictStartDate), [ride]
      ),
      (NSCompoundPredicate(notPredicateWithSubpredicate: mine), [ride]),
      (NSPredicate { object, _ in (object as? HKWorkout)?.duration == 600 }, [workout]),
      (HKQuery.predicateForObjects(with: [workout.uuid, ride.uuid]), [workout, ride]),
    ]
    for (predicate, expected) in cases {
      let found = try await related(predicate: predicate).relationships
      #expect(found.map(\.workout) == expected, "\(predicate)")
      let top = try await related(.mostRelevant, predicate: predicate).relationships
      #expect(top.map(\.workout) == expected && top.allSatisfy { $0.samples?.count == 1 })
    }
  }

  @Test func `an anchor returns later changes to the workouts that the predicate selects`()
    async throws
  {
    let (one, two) = (score(5), score(6, 5000))
    try await store.save([workout, ride])
    let mine = HKQuery.predicateForObject(with: workout.uuid)
    try await store.relateWorkoutEffortSample(one, with: workout, activity: nil)
    let first = try await related(predicate: mine)
    #expect(first.relationships.map(values) == [[5]])
    try await store.relateWorkoutEffortSample(two, with: ride, activity: nil)
    let second = try await related(after: first.newAnchor, predicate: mine)
    #expect(second.relationships == [])
    try await store.delete(two)
    let third = try await related(after: second.newAnchor, predicate: mine)
    #expect(third.relationships == [])
    try await store.delete(one)
    let fourth = try await related(after: third.newAnchor, predicate: mine)
    #expect(fourth.relationships.map(\.workout) == [workout])
    #expect(fourth.relationships.first?.samples == nil)
    try await store.relateWorkoutEffortSample(score(8), with: workout, activity: nil)
    try await store.delete(workout)
    #expect(try await related(after: fourth.newAnchor, predicate: mine).relationships == [])
  }

  @Test func `running queries of selected workouts deliver only those`() async throws {
    try await store.save([workout, ride])
    let mine = HKQuery.predicateForWorkouts(with: .cycling)
    var iterator = HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: mine, anchor: nil, option: .mostRelevant
    ).results(for: store).makeAsyncIterator()
    #expect(try await iterator.next()?.relationships == [])
    let (updates, continuation) = AsyncStream.makeStream(of: [HKWorkoutEffortRelationship].self)
    let query = HKWorkoutEffortRelationshipQuery(predicate: mine, anchor: nil, options: .default) {
      _, found, _, _ in continuation.yield(found ?? [])
    }
    store.execute(query)
    var calls = updates.makeAsyncIterator()
    #expect(await calls.next() == [])
    // A change to another workout, which is not reported.
    try await store.relateWorkoutEffortSample(score(7), with: workout, activity: nil)
    let rating = score(4, 5000)
    try await store.relateWorkoutEffortSample(rating, with: ride, activity: nil)
    let notified = await calls.next()
    #expect(notified?.map(\.workout) == [ride] && notified?.first?.samples == [rating])
    let read = try await iterator.next()?.relationships
    #expect(read?.map(\.workout) == [ride] && read?.first?.samples == [rating])
    try await store.delete(rating)
    let last = await calls.next()
    #expect(last?.map(\.workout) == [ride] && last?.first?.samples == nil)
    store.stop(query)
  }

  @Test func `running queries deliver new relationships`() async throws {
    try await store.save(workout)
    var iterator = HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: nil, anchor: nil, option: .default
    ).results(for: store).makeAsyncIterator()
    #expect(try await iterator.next()?.relationships == [])
    let (updates, continuation) = AsyncStream.makeStream(of: [[Double]?].self)
    let query = HKWorkoutEffortRelationshipQuery(predicate: nil, anchor: nil, options: .default) {
      _, found, anchor, _ in
      continuation.yield(
        anchor == nil
          ? [nil]
          : (found ?? []).map { one in
            (one.samples as? [HKQuantitySample])?
              .map { $0.quantity.doubleValue(for: .appleEffortScore()) }
          })
    }
    store.execute(query)
    var calls = updates.makeAsyncIterator()
    #expect(await calls.next() == [])
    try await store.relateWorkoutEffortSample(score(7), with: workout, activity: nil)
    #expect(await calls.next() == [[7]])
    #expect(try await iterator.next()?.relationships.map(values) == [[7]])
    try await store.save(score(9))
    try await store.relateWorkoutEffortSample(score(4, 5), with: workout, activity: nil)
    #expect(await calls.next() == [[7, 4]])
    #expect(try await iterator.next()?.relationships.map(values) == [[7, 4]])
    store.stop(query)
  }

  @Test func `predicates find the ratings of a workout, in running queries as well`() async throws {
    let rating = score(7)
    try await store.save([workout, rating, score(9, 1)])
    let type = HKQuantityType(.workoutEffortScore)
    let within = HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil)
    var iterator = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: type, predicate: within)], anchor: nil
    ).results(for: store).makeAsyncIterator()
    #expect(try await iterator.next()?.addedSamples == [])
    try await store.relateWorkoutEffortSample(rating, with: workout, activity: nil)
    #expect(try await iterator.next()?.addedSamples == [rating])
    func count(_ format: String) async throws -> Int {
      let predicate = NSPredicate(
        format: format, HKPredicateKeyPathWorkoutEffortRelationship)
      return try await store.samples(type, predicate: predicate).count
    }
    #expect(try await count("%K == nil") == 1)
    #expect(try await count("%K != nil") == 1)
    let equal = NSPredicate(
      format: "%K == %@", HKPredicateKeyPathWorkoutEffortRelationship, workout)
    #expect(try await store.samples(type, predicate: equal) == [rating])
    #expect(try await store.samples(heartRate, predicate: within).isEmpty)
  }

  @Test func `a relationship is restored from an archive`() async throws {
    try await store.save(workout)
    let activity = workout.workoutActivities.first
    try await store.relateWorkoutEffortSample(score(7), with: workout, activity: activity)
    let found = try #require(try await related().relationships.first)
    let data = try NSKeyedArchiver.archivedData(withRootObject: found, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: HKWorkoutEffortRelationship.self, from: data)
    #expect(read == found && read?.samples?.count == 1 && read?.activity != nil)
  }
}
