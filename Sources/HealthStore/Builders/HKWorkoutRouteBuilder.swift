public import CoreLocation
import Foundation
import SampleLog

/// Collects the locations of a workout's route and saves them with a link to the workout.
///
/// ```swift
/// let builder = HKWorkoutRouteBuilder(healthStore: store, device: nil)
/// try await builder.insertRouteData(locations)
/// let route = try await builder.finishRoute(with: workout, metadata: nil)
/// ```
open class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
  private let locations = Locked<[CLLocation]>([])

  /// Creates a builder for a route in a store, recorded by a device.
  public init(healthStore: HKHealthStore, device: HKDevice?) { super.init(healthStore, device) }

  /// Adds locations, in any order, and reports whether this succeeded.
  ///
  /// Reports `errorInvalidArgument` for an empty array, for a time that is not finite, and after
  /// the route is finished or discarded. If it fails, no location is added.
  @preconcurrency
  open func insertRouteData(
    _ routeData: [CLLocation], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    report(completion) {
      try self.checkOpen()
      guard !routeData.isEmpty else {
        throw HKError.make(.errorInvalidArgument, "There are no locations to insert.")
      }
      guard
        routeData.allSatisfy({ $0.timestamp.timeIntervalSinceReferenceDate.isFinite })
      else {
        throw HKError.make(.errorInvalidArgument, "A location's timestamp is not a finite number.")
      }
      self.locations.withLock { $0 += routeData }
    }
  }

  /// Adds locations, or throws the errors that the completion-handler version reports.
  open func insertRouteData(_ routeData: [CLLocation]) async throws {
    try await healthStore.attempt { self.insertRouteData(routeData, completion: $0) }
  }

  /// Adds metadata to the route and reports whether this succeeded.
  ///
  /// The new values replace those of existing keys.
  ///
  /// Reports `errorInvalidArgument` if the metadata cannot be stored, and after the route is
  /// finished or discarded.
  @preconcurrency
  open func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    add(metadata: metadata, completion)
  }

  /// Adds metadata to the route, or throws the errors that the completion-handler version reports.
  open func addMetadata(_ metadata: [String: Any]) async throws {
    nonisolated(unsafe) let metadata = metadata
    try await healthStore.attempt { completion in
      self.addMetadata(metadata, completion: completion)
    }
  }

  /// Saves the route and its link to a workout in one commit, and reports the route.
  ///
  /// The workout must be in the store. `metadata` overrides keys that were added before. The route
  /// extends from the first location to the last. Reports `errorInvalidArgument` if there are no
  /// locations, if the workout is not in the store, and after the route is finished or discarded.
  /// After any other error the call may be repeated.
  @preconcurrency
  open func finishRoute(
    with workout: HKWorkout, metadata: [String: Any]?,
    completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let added = metadata ?? [:]
    finish(completion) { store, subject, policy in
      let all = (self.addedMetadata ?? [:]).merging(added) { $1 }
      let route = try self.route(all.isEmpty ? nil : all)
      try store.add([route], to: workout, subject: subject, policy: policy)
      return route
    }
  }

  override func collectedSeries() throws -> HKSample? {
    locations.withLock { $0.isEmpty } ? nil : try route(addedMetadata)
  }

  private func route(_ metadata: [String: Any]?) throws -> HKWorkoutRoute {
    try HKWorkoutRoute.validated(
      locations: locations.withLock { $0 }, device: builderDevice, metadata: metadata)
  }

  /// Saves the route, or throws the errors that the completion-handler version reports.
  open func finishRoute(
    with workout: HKWorkout, metadata: [String: Any]?
  ) async throws -> HKWorkoutRoute {
    nonisolated(unsafe) let metadata = metadata
    return try await finished { completion in
      self.finishRoute(
        with: workout, metadata: metadata, completion: completion)
    }
  }
}
