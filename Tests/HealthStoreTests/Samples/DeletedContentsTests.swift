import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// The remains of deleted objects in a store's files.
@Suite struct DeletedContentsTests {
  private let directory = StoreDirectory()
  private let secret = "secret-\(UUID().uuidString)"

  private func open() throws -> HKHealthStore {
    var options = HKHealthStore.Options()
    options.deletionRetention = .seconds(0)
    return try HKHealthStore(directory: directory.url, options: options)
  }

  private var isSecretInAFile: Bool {
    get throws {
      try FileManager.default
        .contentsOfDirectory(at: directory.url, includingPropertiesForKeys: nil)
        .contains { try Data(contentsOf: $0).range(of: Data("secret-".utf8)) != nil }
    }
  }

  /// Objects with child rows: points, voltages and links.
  private func owners() throws -> [HKSample] {
    let beats = (0..<3_000).map {
      HKHeartbeatSeriesQueryDescriptor.Heartbeat(
        timeIntervalSinceStart: Double($0), precededByGap: false)
    }
    return [
      try HKHeartbeatSeriesSample.validated(
        start: testStart, heartbeats: beats, metadata: ["note": secret]),
      try HKElectrocardiogram.validated(
        start: testStart, voltages: (0..<3_000).map(Double.init),
        samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: 512),
        classification: .sinusRhythm, metadata: ["note": secret]),
    ]
  }

  /// The number of rows, including child rows and deletions.
  private func rowCount() throws -> Int {
    let database = try Database(path: directory.url.path, mode: .readOnly)
    defer { try? database.close() }
    let snapshot = database.snapshot()
    let deletions = try database.statistics().deletionCount
    return try snapshot.series.reduce(deletions) { try $0 + snapshot.select([$1]).count }
  }

  @Test func `compaction removes the content of deleted objects of every family from all files`()
    async throws
  {
    let store = try open()
    let record = try HKClinicalRecord.validated(
      type: HKClinicalType(.conditionRecord), displayName: secret,
      fhirResource: HKFHIRResource(
        resourceType: .condition, identifier: "c", fhirVersion: .primaryR4(),
        data: Data(secret.utf8)), start: testStart, end: testStart)
    let workout = HKWorkout(
      activityType: .running, start: testStart, end: testStart + 600, workoutEvents: nil,
      totalEnergyBurned: nil, totalDistance: nil, metadata: ["note": secret])
    let beat = try heartBeat(60, at: 10, metadata: ["note": secret])
    let objects = try FamilyFixtures.all + owners() + [record, workout]
    try await store.save(objects)
    try await store.addSamples([beat], to: workout)
    let kept = try heartBeat(70)
    try await store.save(kept)
    try await store.flush()
    #expect(try isSecretInAFile)
    try await store.delete(objects + [beat])
    try await store.flush()
    // A deletion can be forgotten only after its sample has left every file.
    for _ in 0..<2 { _ = try await store.compact() }
    #expect(try await store.beats() == [70])
    try await store.close()
    #expect(try !isSecretInAFile)
    #expect(try rowCount() == 1)
  }
}
