import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// The child rows of effort ratings that are imported or transferred repeatedly.
@Suite struct EffortRowTests {
  @Test(arguments: [[[0], [1, 0]], [[1], [0, 1]], [[0, 1], [1, 0]], [[2, 0], [0, 1, 2]]])
  func `Repeated ratings add those of further activities, in any order`(
    rounds: [[Int]]
  ) async throws {
    let database = try Database(path: "/store", fileSystem: MemoryFileSystem())
    let store = HKHealthStore(database: database)
    let workout = try HKWorkout.validated(
      activityType: .running, start: testStart, end: testStart + 600)
    try await store.save(workout)
    let sample = Member(
      id: Identifier(UUID()), type: HKQuantityType(.workoutEffortScore).identifier)
    // The last one stands for the complete workout.
    let activities: [UUID?] = [UUID(), UUID(), nil]
    for round in rounds + rounds {
      var writer = RowWriter(database, subject: "")
      writer.add(
        efforts: round.map { WorkoutEffortPayload(sample, activities[$0]) },
        parent: Identifier(workout.uuid), of: HKObjectType.workoutType().identifier,
        start: workout.startDate, end: workout.endDate)
      _ = try writer.commit()
    }
    let snapshot = database.snapshot()
    let row = try #require(try snapshot.row(Identifier(workout.uuid)))
    let found = try snapshot.payloads(WorkoutEffortPayload.self, of: row)
    let expected = Set(rounds.joined()).map { WorkoutEffortPayload(sample, activities[$0]) }
    #expect(found.count == expected.count && Set(found) == Set(expected))
  }
}
