import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Damage to workouts, to the rows that link their samples, or to the samples is an error that
/// names the file, and never a wrong result.
@Suite struct WorkoutDamageTests {
  private func open(_ files: MemoryFileSystem) throws -> Database {
    var options = Database.Options()
    options.sealsInBackground = false
    return try Database(path: "/store", options: options, fileSystem: files)
  }

  private func makeFiles() async throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    let database = try open(files)
    let store = HKHealthStore(database: database)
    for round in 0..<3 {
      let from = testStart.addingTimeInterval(Double(round) * 1000)
      let workout = try HKWorkout.validated(
        activityType: .running, start: from, end: from.addingTimeInterval(600),
        workoutEvents: [HKWorkoutEvent(type: .lap, date: from, metadata: ["lap": round])],
        totalDistance: HKQuantity(unit: .mile(), doubleValue: 3.1), metadata: ["round": round])
      try await store.save(workout)
      try await store.addSamples(
        (0..<5).map { try heartBeat(Double(60 + $0), at: Double(round * 1000 + $0)) }, to: workout)
    }
    try database.seal()
    try database.close()
    return files
  }

  /// The properties of the workouts as text.
  private func answer(_ files: MemoryFileSystem) async throws -> String {
    let database = try open(files.copy())
    defer { database.closeIgnoringErrors() }
    let store = HKHealthStore(database: database)
    var lines: [String] = []
    for workout in try await store.read(.workout()) {
      let beats = workout.statistics(for: testHeartRate)
      let within = HKQuery.predicateForObjects(from: workout)
      let parts: [Any] = [
        workout, workout.duration, workout.totalDistance as Any,
        workout.workoutEvents?.map { "\($0) \($0.metadata?["lap"] as? Int ?? -1)" } as Any,
        workout.workoutActivities, beats?.averageQuantity() as Any,
        beats?.maximumQuantity() as Any, try await store.beats(within),
      ]
      lines.append(parts.map { "\($0)" }.joined(separator: " | "))
    }
    return lines.joined(separator: "\n")
  }

  @Test func `a flipped bit is reported or changes no result`() async throws {
    let files = try await makeFiles()
    let truth = try await answer(files)
    #expect(truth.contains("64") && truth.split(separator: "\n").count == 3)
    let names = try #require(files.list("/store"))
    let name = try #require(names.first { $0.hasSuffix(".segment") })
    let size = try files.open("/store/" + name, .read).size()
    var errors = 0
    for bit in stride(from: 3, to: size * 8, by: 61) {
      let copy = files.copy()
      let file = try copy.open("/store/" + name, .update)
      let byte = try #require(try file.bytes(1, at: bit / 8))[0] ^ 1 << UInt8(bit % 8)
      try [byte].withUnsafeBytes { try file.write($0, at: bit / 8) }
      do {
        #expect(try await answer(copy) == truth, "bit \(bit)")
      } catch {
        errors += 1
        let cause = (error as? HKError)?.userInfo[NSUnderlyingErrorKey] ?? error
        guard case .damaged(name, _, _)? = cause as? StoreError else {
          Issue.record("bit \(bit): \(error)")
          continue
        }
      }
    }
    #expect(errors > 50)
  }

  @Test(arguments: ["links", "additions", "recount", "effort"])
  func `an invalid row of a workout's own is damage`(childType: String) async throws {
    let database = try open(MemoryFileSystem())
    let store = HKHealthStore(database: database)
    let workout = try HKWorkout.validated(
      activityType: .running, start: testStart, end: testStart + 60)
    try await store.save(workout)
    var extras = Extras()
    extras.memberOf = [Identifier(workout.uuid)]
    extras.payloadKind = 19
    extras.payload = [9, 9]
    var batch = Batch()
    let number = batch.intern(extras: extras.encoded)
    let start = testStart.timeIntervalSinceReferenceDate
    batch.add(
      subject: 0,
      type: database.symbols.intern(ChildType.name(childType, of: "HKWorkoutTypeIdentifier")),
      id: Identifier(), start: start, end: start + 60, value: 0, extras: number)
    try database.commit(batch)
    await #expect(throws: HKError.self) {
      switch childType {
      case "links": _ = try await store.beats(HKQuery.predicateForObjects(from: workout))
      case "effort":
        _ = try await HKWorkoutEffortRelationshipQueryDescriptor(
          predicate: nil, anchor: nil, option: .default
        ).result(for: store)
      default: _ = try await store.read(.workout())
      }
    }
  }
}
