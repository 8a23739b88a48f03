import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// A workout accepts only samples of its own subject.
@Suite struct OtherSubjectTests {
  private let ada: HKHealthStore
  private let bob: HKHealthStore
  private let workout: HKWorkout

  init() async throws {
    let database = try Database(path: "/store", fileSystem: MemoryFileSystem())
    ada = HKHealthStore(database: database, subject: "ada")
    bob = HKHealthStore(database: database, subject: "bob")
    workout = try HKWorkout.validated(
      activityType: .running, start: testStart, end: testStart + 600)
    try await ada.save(workout)
  }

  private func expectRefusal(_ body: () async throws -> Void) async {
    let error = await #expect(throws: HKError.self) { try await body() }
    #expect(error?.code == .errorInvalidArgument)
  }

  private func hasNothing() async throws -> Bool {
    let saved = try #require(try await ada.read(.workout()).first)
    return saved.allStatistics.isEmpty
  }

  @Test func `A sample of another subject is refused along with its batch`() async throws {
    let foreign = try heartBeat(99, at: 20)
    try await bob.save(foreign)
    let own = try heartBeat(60, at: 30)
    await expectRefusal { try await ada.addSamples([own, foreign], to: workout) }
    #expect(try await hasNothing())
    #expect(try await ada.read(.quantitySample(type: testHeartRate)).isEmpty)
    try await ada.addSamples([own], to: workout)
    #expect(try await !hasNothing())
  }

  @Test func `A builder refuses a sample of another subject`() async throws {
    let foreign = try heartBeat(99, at: 20)
    try await bob.save(foreign)
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    let builder = HKWorkoutBuilder(healthStore: ada, configuration: configuration, device: nil)
    try await builder.beginCollection(at: testStart)
    await expectRefusal { try await builder.addSamples([foreign]) }
    #expect(builder.allStatistics.isEmpty)
  }

  @Test func `An effort of another subject does not rate a workout`() async throws {
    let effort = HKQuantitySample(
      type: HKQuantityType(.workoutEffortScore),
      quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 7), start: testStart,
      end: testStart)
    try await bob.save(effort)
    await expectRefusal {
      try await ada.relateWorkoutEffortSample(effort, with: workout, activity: nil)
    }
  }
}
