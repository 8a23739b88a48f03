import CoreLocation
import HealthKit
import Testing

/// Routes through the public interface.
@Suite struct WorkoutRouteTests {
  let store = HKHealthStore.inMemory()

  static func location(_ second: Int) -> CLLocation {
    CLLocation(
      coordinate: CLLocationCoordinate2D(
        latitude: 48.6 + Double(second) * 1e-5, longitude: 6.1 - Double(second) * 1e-6),
      altitude: 360 + Double(second % 7) / 10, horizontalAccuracy: second == 3 ? .nan : 2.5,
      verticalAccuracy: 3, course: Double(second % 360), courseAccuracy: -1, speed: 3.5,
      speedAccuracy: 0.25, timestamp: start.addingTimeInterval(Double(second)))
  }

  static func bits(_ locations: [CLLocation]) -> [[UInt64]] {
    locations.map { location in
      [
        location.coordinate.latitude, location.coordinate.longitude, location.altitude,
        location.horizontalAccuracy, location.verticalAccuracy, location.course,
        location.courseAccuracy, location.speed, location.speedAccuracy,
        location.timestamp.timeIntervalSinceReferenceDate,
        location.sourceInformation?.isSimulatedBySoftware == true ? 1 : 0,
        location.sourceInformation?.isProducedByAccessory == true ? 1 : 0,
        location.sourceInformation == nil ? 1 : 0,
      ].map(\.bitPattern)
    }
  }

  private func saved(_ locations: [CLLocation]) async throws -> HKWorkoutRoute {
    let route = try HKWorkoutRoute.validated(locations: locations)
    try await store.save(route)
    return route
  }

  /// The calls of a route query's handler.
  private func batches(
    _ route: HKWorkoutRoute, in interval: DateInterval? = nil
  ) async throws -> [(locations: [CLLocation], isLast: Bool)] {
    let (calls, continuation) = AsyncThrowingStream<([CLLocation], Bool), any Error>.makeStream()
    let handler: @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void = {
      _, locations, isLast, error in
      if let error { return continuation.finish(throwing: error) }
      continuation.yield((locations ?? [], isLast))
      if isLast { continuation.finish() }
    }
    store.execute(
      interval.map { HKWorkoutRouteQuery(route: route, dateInterval: $0, dataHandler: handler) }
        ?? HKWorkoutRouteQuery(route: route, dataHandler: handler))
    var found: [(locations: [CLLocation], isLast: Bool)] = []
    for try await call in calls { found.append((call.0, call.1)) }
    return found
  }

  @Test func `A route query delivers the exact locations in batches`() async throws {
    let locations = (0..<2500).map(Self.location)
    let route = try await saved(locations)
    let batches = try await batches(route)
    #expect(batches.map(\.locations.count) == [1024, 1024, 452])
    #expect(batches.map(\.isLast) == [false, false, true])
    #expect(Self.bits(batches.flatMap(\.locations)) == Self.bits(locations))
  }

  @Test func `Locations are sorted by time, and the route lasts from first to last`()
    async throws
  {
    let locations = (0..<50).map(Self.location)
    let route = try await saved(locations.reversed())
    #expect(route.startDate == start)
    #expect(route.endDate == start.addingTimeInterval(49))
    #expect(route.count == 50)
    #expect(Self.bits(try await batches(route).flatMap(\.locations)) == Self.bits(locations))
  }

  @Test func `A location's source information is read back`() async throws {
    let locations = [(true, false), (false, true), (false, false), (true, true)].map { flags in
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 3,
        horizontalAccuracy: 4, verticalAccuracy: 5, course: 6, courseAccuracy: 7, speed: 8,
        speedAccuracy: 9, timestamp: start,
        sourceInfo: CLLocationSourceInformation(
          softwareSimulationState: flags.0, andExternalAccessoryState: flags.1))
    }
    let route = try await saved(locations + [Self.location(1)])
    let read = try await batches(route).flatMap(\.locations)
    #expect(Self.bits(read) == Self.bits(locations + [Self.location(1)]))
  }

  @Test func `A query with an interval delivers the locations in it, ends included`() async throws {
    let route = try await saved((0..<3000).map(Self.location))
    let interval = DateInterval(start: start.addingTimeInterval(1020), duration: 10)
    let found = try await batches(route, in: interval)
    #expect(
      found.flatMap(\.locations).map { $0.timestamp.timeIntervalSince(start) }
        == (1020...1030).map(Double.init))
    #expect(found.last?.isLast == true)
    let none = try await batches(
      route, in: DateInterval(start: start.addingTimeInterval(9000), duration: 1))
    #expect(none.map(\.locations.count) == [0])
    #expect(none.map(\.isLast) == [true])
  }

  @Test func `A stopped route query delivers no more`() async throws {
    let route = try await saved((0..<5000).map(Self.location))
    let (calls, continuation) = AsyncStream<Int>.makeStream()
    let query = HKWorkoutRouteQuery(route: route) { [store] query, locations, _, _ in
      continuation.yield(locations?.count ?? 0)
      store.stop(query)
      continuation.finish()
    }
    store.execute(query)
    var counts: [Int] = []
    for await count in calls { counts.append(count) }
    #expect(counts == [1024])
  }

  @Test func `The descriptor delivers the same locations, one by one`() async throws {
    let locations = (0..<1500).map(Self.location)
    let route = try await saved(locations)
    var read: [CLLocation] = []
    for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
      read.append(location)
    }
    #expect(Self.bits(read) == Self.bits(locations))
  }

  @Test func `A route is read back after compaction and from a backup`() async throws {
    let (directory, copy) = (TemporaryDirectory(), TemporaryDirectory())
    let locations = (0..<3000).map(Self.location)
    let route = try HKWorkoutRoute.validated(locations: locations)
    do {
      let store = try HKHealthStore(directory: directory.url)
      try await store.save([route, try HKWorkoutRoute.validated(locations: locations)])
      try await store.compact()
      _ = try await store.backup(to: copy.url)
      try await store.close()
    }
    for url in [directory.url, copy.url] {
      let store = try HKHealthStore(directory: url, mode: .readOnly)
      var read: [CLLocation] = []
      for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
        read.append(location)
      }
      #expect(Self.bits(read) == Self.bits(locations))
      #expect(try await store.storeStatistics().sampleCount == 2)
      try await store.close()
    }
  }

  @Test func `A route that is not in the store is an invalid argument`() async throws {
    let route = try HKWorkoutRoute.validated(locations: [Self.location(0)])
    #expect(await code { try await batches(route) } == .errorInvalidArgument)
    var iterator = HKWorkoutRouteQueryDescriptor(route).results(for: store).makeAsyncIterator()
    #expect(await code { try await iterator.next() } == .errorInvalidArgument)
    #expect(try await iterator.next() == nil)
  }

  @Test func `Sample queries return routes with their number of locations`() async throws {
    let route = try await saved((0..<1300).map(Self.location))
    let found = try await HKSampleQueryDescriptor(
      predicates: [.workoutRoute()], sortDescriptors: []
    ).result(for: store)
    #expect(found == [route])
    #expect(found.map(\.count) == [1300])
    let samples = try await store.samples(HKSeriesType.workoutRoute())
    #expect(samples.first is HKWorkoutRoute)
    let stored = try #require(found.first)
    #expect(try await batches(stored).flatMap(\.locations).count == 1300)
  }

  @Test func `Deleting a route deletes its locations`() async throws {
    let route = try await saved([Self.location(0), Self.location(1)])
    try await store.delete(route)
    #expect(await code { try await batches(route) } == .errorInvalidArgument)
    #expect(try await store.samples(HKSeriesType.workoutRoute()).isEmpty)
  }

  @Test func `A newer version of a route has only its own locations`() async throws {
    func version(_ number: Int, _ count: Int) throws -> HKWorkoutRoute {
      try HKWorkoutRoute.validated(
        locations: (0..<count).map(Self.location),
        metadata: [HKMetadataKeySyncIdentifier: "route", HKMetadataKeySyncVersion: number])
    }
    let old = try version(1, 2000)
    try await store.save(old)
    let new = try version(2, 3)
    try await store.save(new)
    #expect(try await batches(new).flatMap(\.locations).count == 3)
    #expect(await code { try await batches(old) } == .errorInvalidArgument)
  }

  @Test func `An archived route is restored with its number of locations`() throws {
    let route = try HKWorkoutRoute.validated(locations: (0..<9).map(Self.location))
    let data = try NSKeyedArchiver.archivedData(withRootObject: route, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKWorkoutRoute.self, from: data)
    #expect(read == route)
    #expect(read?.count == 9)
  }

  @Test func `A route with no locations or a time that is not a number is refused`() {
    #expect(throws: HKInvalidSampleError.self) { try HKWorkoutRoute.validated(locations: []) }
    let never = CLLocation(
      coordinate: CLLocationCoordinate2D(), altitude: 0, horizontalAccuracy: 0,
      verticalAccuracy: 0, timestamp: Date(timeIntervalSinceReferenceDate: .nan))
    #expect(throws: HKInvalidSampleError.self) {
      try HKWorkoutRoute.validated(locations: [never])
    }
  }

  // MARK: Builders

  private func workout() async throws -> HKWorkout {
    let workout = HKWorkout(
      activityType: .running, start: start, end: start.addingTimeInterval(100))
    try await store.save(workout)
    return workout
  }

  private func builder() -> HKWorkoutRouteBuilder {
    HKWorkoutRouteBuilder(healthStore: store, device: .local())
  }

  @Test func `A builder saves its locations as a route of the workout`() async throws {
    let workout = try await workout()
    let builder = builder()
    let locations = (0..<60).map(Self.location)
    try await builder.insertRouteData(Array(locations[30...]))
    try await builder.insertRouteData(Array(locations[..<30]))
    try await builder.addMetadata(["note": "rain", "lap": 1])
    let route = try await builder.finishRoute(with: workout, metadata: ["lap": 2])
    #expect(route.device == .local())
    let found = try await HKSampleQueryDescriptor(
      predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))],
      sortDescriptors: []
    ).result(for: store)
    #expect(found == [route])
    #expect(found.first?.metadata?["note"] as? String == "rain")
    #expect(found.first?.metadata?["lap"] as? Int == 2)
    #expect(Self.bits(try await batches(route).flatMap(\.locations)) == Self.bits(locations))
  }

  @Test func `A route is kept when its workout is deleted`() async throws {
    let workout = try await workout()
    let builder = builder()
    try await builder.insertRouteData([Self.location(0)])
    let route = try await builder.finishRoute(with: workout, metadata: nil)
    try await store.delete(workout)
    #expect(try await batches(route).flatMap(\.locations).count == 1)
  }

  @Test func `A route of an unsaved workout is refused, and may be finished later`()
    async throws
  {
    let unsaved = HKWorkout(activityType: .running, start: start, end: start)
    let builder = builder()
    try await builder.insertRouteData([Self.location(0)])
    #expect(
      await code { try await builder.finishRoute(with: unsaved, metadata: nil) }
        == .errorInvalidArgument)
    #expect(try await store.samples(HKSeriesType.workoutRoute()).isEmpty)
    try await store.save(unsaved)
    #expect(try await builder.finishRoute(with: unsaved, metadata: nil).count == 1)
  }

  @Test func `A builder refuses a route with no locations or a time that is not a number`()
    async throws
  {
    let workout = try await workout()
    let builder = builder()
    let never = CLLocation(
      coordinate: CLLocationCoordinate2D(), altitude: 0, horizontalAccuracy: 0,
      verticalAccuracy: 0, timestamp: Date(timeIntervalSinceReferenceDate: .infinity))
    #expect(await code { try await builder.insertRouteData([]) } == .errorInvalidArgument)
    #expect(
      await code { try await builder.insertRouteData([Self.location(0), never]) }
        == .errorInvalidArgument)
    #expect(
      await code { try await builder.finishRoute(with: workout, metadata: nil) }
        == .errorInvalidArgument)
  }

  @Test func `Nothing can be added to a finished or discarded route`() async throws {
    let workout = try await workout()
    let finished = builder()
    try await finished.insertRouteData([Self.location(0)])
    _ = try await finished.finishRoute(with: workout, metadata: nil)
    let discarded = builder()
    discarded.discard()
    for builder in [finished, discarded] {
      #expect(
        await code { try await builder.insertRouteData([Self.location(1)]) }
          == .errorInvalidArgument)
      #expect(
        await code { try await builder.finishRoute(with: workout, metadata: nil) }
          == .errorInvalidArgument)
    }
    #expect(try await store.samples(HKSeriesType.workoutRoute()).count == 1)
  }
}
