import CoreLocation
import Foundation
import HealthStore
import HealthTransfer
import HealthTransferServer
import Testing

@Suite struct RoundTripTests {
  private let phone = HKHealthStore.inMemory()
  private let server = HKHealthStore.inMemory()

  private func uploader(batchSize: Int = 1000) -> TransferUploader {
    TransferUploader(store: phone, types: Phone.types, batchSize: batchSize)
  }

  @Test(arguments: [1, 3, 1000])
  func `Every object on the server equals the one on the phone`(
    batchSize: Int
  ) async throws {
    try await Phone.fill(phone)
    let uploader = uploader(batchSize: batchSize)
    let receipts = try await send(uploader, to: server)
    #expect(await uploader.leftOut.isEmpty)
    #expect(receipts.flatMap(\.unusable).isEmpty)
    let (before, after) = (try Contents(phone), try Contents(server))
    #expect(before.samples.count == 30)
    #expect(receipts.reduce(0) { $0 + $1.addedCount } == before.samples.count)
    #expect(Set(after.samples.keys) == Set(before.samples.keys))
    let differing = before.samples.keys.filter { after.samples[$0] != before.samples[$0] }
    #expect(differing == [])
    #expect(after.children.keys.sorted() == before.children.keys.sorted())
    #expect(before.children.keys.filter { after.children[$0] != before.children[$0] } == [])
  }

  @Test func `A workout has its samples, statistics, events, totals and rating`() async throws {
    try await Phone.fill(phone)
    try await send(uploader(), to: server)
    let workouts = try await HKSampleQueryDescriptor(
      predicates: [.workout()], sortDescriptors: []
    ).result(for: server)
    let workout = try #require(workouts.first)
    #expect(workout.workoutActivityType == .running)
    #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) == 300.25)
    #expect(workout.totalDistance?.doubleValue(for: .meter()) == 5000)
    #expect(workout.workoutEvents?.first?.metadata?["lap"] as? String == "1")
    #expect(workout.workoutActivities.count == 1)
    let steps = workout.statistics(for: HKQuantityType(.stepCount))
    #expect(steps?.sumQuantity()?.doubleValue(for: .count()) == 9)
    let rate = workout.statistics(for: HKQuantityType(.heartRate))
    #expect(rate?.averageQuantity()?.doubleValue(for: Phone.perMinute) == 150)
    #expect(rate?.mostRecentQuantity()?.doubleValue(for: Phone.perMinute) == 150)
    let members = try await HKSampleQueryDescriptor(
      predicates: Phone.types.map {
        .sample(type: $0, predicate: HKQuery.predicateForObjects(from: workout))
      }, sortDescriptors: []
    ).result(for: server)
    #expect(members.count == 3)
    let route = try #require(members.lazy.compactMap { $0 as? HKWorkoutRoute }.first)
    var locations: [CLLocation] = []
    for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: server) {
      locations.append(location)
    }
    #expect(locations.count == 1500)
    #expect(locations.last?.sourceInformation?.isProducedByAccessory == true)
    let rating = HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil)
    let efforts = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.workoutEffortScore), predicate: rating)],
      sortDescriptors: []
    ).result(for: server)
    #expect(efforts.map { $0.quantity.doubleValue(for: .appleEffortScore()) } == [7])
  }

  @Test func `A rating of two activities rates both on the server`() async throws {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .swimBikeRun
    let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let builder = HKWorkoutBuilder(healthStore: phone, configuration: configuration, device: nil)
    try await builder.beginCollection(at: start)
    let activities = [0.0, 60].map { offset in
      HKWorkoutActivity(
        workoutConfiguration: configuration, start: start + offset, end: start + offset + 60,
        metadata: nil)
    }
    for activity in activities { try await builder.addWorkoutActivity(activity) }
    try await builder.endCollection(at: start + 120)
    let workout = try #require(try await builder.finishWorkout())
    let rating = HKQuantitySample(
      type: HKQuantityType(.workoutEffortScore),
      quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 7), start: start,
      end: start + 120)
    for activity in activities {
      try await phone.relateWorkoutEffortSample(rating, with: workout, activity: activity)
    }
    try await send(uploader(), to: server)
    let objects = try StoredObjects(server)
    let received = try #require(try objects.object(workout.uuid))
    let rated = try objects.efforts(of: received)
    #expect(rated.map(\.sample) == [rating.uuid, rating.uuid])
    #expect(Set(rated.map(\.activity)) == Set(activities.map { $0.uuid as UUID? }))
  }

  @Test func `A route saved after its workout was sent belongs to it`() async throws {
    try await Phone.fill(phone)
    let uploader = uploader()
    try await send(uploader, to: server)
    let workout = try #require(
      try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
        .result(for: phone).first)
    let route = try Phone.route(5, count: 3)
    try await phone.addSamples([route], to: workout)
    try await send(uploader, to: server)
    let found = try await HKSampleQueryDescriptor(
      predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))], sortDescriptors: []
    ).result(for: server)
    #expect(found.count == 2)
    #expect(found.contains { $0.uuid == route.uuid })
  }

  @Test func `Objects of a correlation belong to it, and deleted ones are removed`() async throws {
    let pressure = try Phone.pressure()
    let beat = try Phone.beat(60)
    try await phone.save([pressure, beat])
    let uploader = uploader(batchSize: 1)
    try await send(uploader, to: server)
    let alone = try await HKSampleQueryDescriptor(
      predicates: [
        .sample(
          type: HKQuantityType(.bloodPressureSystolic),
          predicate: HKQuery.predicateForObjectsWithNoCorrelation())
      ], sortDescriptors: []
    ).result(for: server)
    #expect(alone.isEmpty)
    try await phone.delete([pressure, beat] + pressure.objects)
    let receipts = try await send(uploader, to: server)
    #expect(receipts.reduce(0) { $0 + $1.deletedCount } == 4)
    #expect(try Contents(server).samples.isEmpty)
  }

  @Test func `Statistics of both stores are the same`() async throws {
    try await Phone.fill(phone)
    try await send(uploader(), to: server)
    for type in [HKQuantityType(.activeEnergyBurned), HKQuantityType(.stepCount)] {
      let descriptor = HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: type), options: [.cumulativeSum, .separateBySource])
      let (one, other) = (
        try await descriptor.result(for: phone), try await descriptor.result(for: server)
      )
      #expect(one?.sumQuantity() == other?.sumQuantity())
      #expect(one?.sources?.count == other?.sources?.count)
    }
  }
}
