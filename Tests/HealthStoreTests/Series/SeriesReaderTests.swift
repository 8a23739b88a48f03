import CoreLocation
import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Reads points from rows that another program may have written.
@Suite struct SeriesReaderTests {
  private let database: Database
  private let store: HKHealthStore

  init() throws {
    database = try Database(path: "store", fileSystem: MemoryFileSystem())
    store = HKHealthStore(database: database)
  }

  private static func locations(_ count: Int) -> [CLLocation] {
    (0..<count).map {
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 0,
        horizontalAccuracy: 0, verticalAccuracy: 0, timestamp: testStart + Double($0))
    }
  }

  /// Saves a route whose stated number of locations differs from its points.
  private func saved(
    claiming count: Int, _ points: [any ChildPayload]
  ) async throws -> HKWorkoutRoute {
    let route = HKWorkoutRoute(
      built: try BuiltSample(
        validating: HKSeriesType.workoutRoute(), start: testStart, end: testStart + 60,
        payload: WorkoutRoutePayload(count: count), children: points, device: nil, metadata: nil,
        sourceRevision: nil))
    try await store.save(route)
    return route
  }

  private func error(_ route: HKWorkoutRoute) async -> HKError? {
    do {
      for try await _ in HKWorkoutRouteQueryDescriptor(route).results(for: store) {}
      return nil
    } catch {
      return error as? HKError
    }
  }

  @Test func `Missing points are damage that names the file`() async throws {
    let route = try await saved(claiming: 1030, PointChunk.chunks(of: Self.locations(1024)))
    let error = try #require(await error(route))
    #expect(error.code == .errorDatabaseInaccessible)
    #expect(error.description.contains("points that are missing"))
  }

  @Test func `Points of another kind and excess points are damage`() async throws {
    let beats = PointChunk(.heartbeats, columns: [[1], [0]])
    #expect(
      await error(try await saved(claiming: 1, [beats]))?.code == .errorDatabaseInaccessible)
    let two = PointChunk.chunks(of: Self.locations(2))
    #expect(await error(try await saved(claiming: 1, two))?.code == .errorDatabaseInaccessible)
  }

  @Test func `A row without the payload of its family is damage`() async throws {
    var batch = Batch()
    batch.add(
      to: SeriesKey(
        subject: database.symbols.intern(""),
        type: database.symbols.intern(HKWorkoutRouteTypeIdentifier)),
      start: 0, value: 0)
    try database.commit(batch)
    let predicate = HKSamplePredicate<HKWorkoutRoute>.workoutRoute()
    await #expect(throws: HKError.self) { try await store.read(predicate) }
  }

  @Test func `A handle without permission to read a route finds none`() async throws {
    let route = HKWorkoutRoute(
      built: try BuiltSample(
        validating: HKSeriesType.workoutRoute(), start: testStart, end: testStart,
        payload: WorkoutRoutePayload(count: 1), children: PointChunk.chunks(of: Self.locations(1)),
        device: nil, metadata: nil, sourceRevision: revision("org.else")))
    try await store.save(route)
    #expect(await error(route) == nil)
    let limited = HKHealthStore(database: database)
    limited.authorization = AuthorizationPolicy()
    do {
      for try await _ in HKWorkoutRouteQueryDescriptor(route).results(for: limited) {}
      Issue.record("the route was read")
    } catch {
      #expect((error as? HKError)?.code != nil)
    }
  }

  @Test func `Another subject's route is not found`() async throws {
    let route = try await saved(claiming: 1, PointChunk.chunks(of: Self.locations(1)))
    let other = HKHealthStore(database: database, subject: "other")
    do {
      for try await _ in HKWorkoutRouteQueryDescriptor(route).results(for: other) {}
      Issue.record("the route was read")
    } catch {
      #expect((error as? HKError)?.code == .errorInvalidArgument)
    }
  }
}
