import CoreLocation
import Foundation
import HealthStore
import SampleLog

/// Routes of workouts in a separate store: saving, reading, and the size of a point.
package struct RouteLoad {
  /// The precision of a route's numbers.
  private enum Numbers: CaseIterable {
    /// A point a second with six decimals, as in a GPX file.
    case decimals
    /// Full precision, as measured by a device.
    case doubles

    var name: String { self == .decimals ? "as in a GPX file" : "to the last bit" }
  }

  private let plan: PeerSession.Plan
  private let points: Int
  private let routes: Int
  private let directory: String

  /// Prepares to measure the given number of routes with the given number of points.
  package init(_ plan: PeerSession.Plan, points: Int = 10_000, routes: Int = 30) {
    self.plan = plan
    self.points = points
    self.routes = routes
    directory = "\(plan.directory)/healthstore-benchmark-routes"
  }

  /// Measures from the call that inserts the points until the route is durable, then reading all
  /// points through the query, and the bytes of a point after compaction.
  package func measure() throws -> [Measurement] {
    try Numbers.allCases.flatMap { try measure($0) }
  }

  private func measure(_ numbers: Numbers) throws -> [Measurement] {
    try? FileManager.default.removeItem(atPath: directory)
    let store = try HKHealthStore(directory: URL(fileURLWithPath: directory))
    var random = SplitMix(seed: 1)
    var (saves, reads): ([Double], [Double]) = ([], [])
    let before = try PeerSession.allocatedBytes(directory)
    for number in 0..<routes {
      let start = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number) * 100_000)
      let locations = locations(from: start, numbers, &random)
      let workout = try HKWorkout.validated(
        activityType: .running, start: start, end: start + Double(points))
      let route = try blocking {
        try await store.save(workout)
        let builder = HKWorkoutRouteBuilder(healthStore: store, device: nil)
        let watch = Stopwatch()
        try await builder.insertRouteData(locations)
        let route = try await builder.finishRoute(with: workout, metadata: nil)
        saves.append(watch.seconds * 1e3)
        return route
      }
      reads.append(try read(route, locations, store))
    }
    let size = try blocking {
      try await store.compact()
      try await store.close()
      return try PeerSession.allocatedBytes(directory) - before
    }
    try FileManager.default.removeItem(atPath: directory)
    return [
      Measurement("a route \(numbers.name), durable", "ms", .less, saves),
      Measurement("… read", "ms", .less, reads),
      Measurement("… size, compacted", "B/point", .less, [Double(size) / Double(points * routes)]),
    ]
  }

  /// Reads a route and returns the time in milliseconds.
  private func read(
    _ route: HKWorkoutRoute, _ locations: [CLLocation], _ store: HKHealthStore
  ) throws -> Double {
    let (cost, found) = try blocking {
      let watch = Stopwatch()
      var found: [CLLocation] = []
      for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
        found.append(location)
      }
      return (watch.seconds * 1e3, found)
    }
    let isSame = zip(found, locations).allSatisfy { one, other in
      one.timestamp == other.timestamp && one.coordinate.latitude == other.coordinate.latitude
        && one.altitude == other.altitude && one.speed == other.speed
    }
    guard isSame, found.count == locations.count else {
      throw BenchmarkError.failed("a route came back different.")
    }
    return cost
  }

  private func locations(
    from start: Date, _ numbers: Numbers, _ random: inout SplitMix
  ) -> [CLLocation] {
    func noise() -> Double { Double(random.next() >> 11) * 0x1p-53 - 0.5 }
    func written(_ value: Double) -> Double {
      numbers == .decimals ? (value * 1e6).rounded() / 1e6 : value
    }
    let isExact = numbers == .doubles
    var (latitude, longitude, altitude, course, speed) = (48.65, 6.13, 361.0, 45.0, 3.5)
    return (0..<points).map { second in
      speed += noise() * 0.01
      course += noise() * 10
      altitude += noise() * 0.1
      latitude += speed * 6e-6
      longitude += speed * 9e-6
      return CLLocation(
        coordinate: CLLocationCoordinate2D(
          latitude: written(latitude), longitude: written(longitude)),
        altitude: written(altitude), horizontalAccuracy: written(3 + speed / 10),
        verticalAccuracy: written(2.5 + speed / 9), course: written(course),
        courseAccuracy: isExact ? 10 + noise() : -1, speed: written(speed),
        speedAccuracy: isExact ? 1 + noise() : -1,
        timestamp: start + Double(second) + (isExact ? noise() / 2 + 0.25 : 0))
    }
  }
}
