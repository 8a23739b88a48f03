public import CoreLocation
import Foundation

/// The route of a workout: the locations of the subject during it.
///
/// Create one with an `HKWorkoutRouteBuilder`, and read its locations with an
/// `HKWorkoutRouteQuery`.
open class HKWorkoutRoute: HKSeriesSample, @unchecked Sendable {
  override class var payloadType: (any SamplePayload.Type)? { WorkoutRoutePayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.kind == .workoutRoute && sample.payload is WorkoutRoutePayload
  }
}

extension HKWorkoutRoute {
  /// Returns a route that is not saved and belongs to no workout yet.
  ///
  /// This is an addition for data from untrusted sources. Saving the route also saves its
  /// locations. They are sorted by time, and the route extends from the first to the last.
  ///
  /// - Throws: ``HKInvalidSampleError`` if there are no locations, a location's time is not
  ///   finite, or the metadata cannot be stored.
  public static func validated(
    locations: [CLLocation],
    device: HKDevice? = nil,
    metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKWorkoutRoute {
    let type = HKSeriesType.workoutRoute()
    let times = locations.map(\.timestamp.timeIntervalSinceReferenceDate)
    guard times.allSatisfy(\.isFinite) else { throw .dateNotFinite(type: type.identifier) }
    let isSorted = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
    let ordered = isSorted ? locations : locations.sorted { $0.timestamp < $1.timestamp }
    guard let first = ordered.first, let last = ordered.last else {
      throw .invalidContents(type: type.identifier, reason: "A route has a location at least.")
    }
    return HKWorkoutRoute(
      built: try BuiltSample(
        validating: type, start: first.timestamp, end: last.timestamp,
        payload: WorkoutRoutePayload(count: ordered.count),
        children: PointChunk.chunks(of: ordered),
        device: device, metadata: metadata, sourceRevision: sourceRevision))
  }
}
