public import CoreLocation
public import Foundation

/// Reads the locations of a workout's route in chronological order.
///
/// Locations are delivered in batches of at most 1,024. Each batch is read after the preceding one
/// was delivered, so memory does not depend on the length of the route.
open class HKWorkoutRouteQuery: HKQuery, @unchecked Sendable {
  private let route: HKWorkoutRoute
  private let interval: DateInterval?
  private let dataHandler:
    @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void

  /// Creates a query for all locations of a route in the store.
  ///
  /// The handler receives each batch and whether it is the last, or nil and an error, after which
  /// it is not called again.
  @preconcurrency
  public init(
    route workoutRoute: HKWorkoutRoute,
    dataHandler:
      @escaping @Sendable (
        HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?
      ) -> Void
  ) {
    route = workoutRoute
    interval = nil
    self.dataHandler = dataHandler
    super.init(objectType: HKSeriesType.workoutRoute(), predicate: nil)
  }

  /// Creates a query for the locations of a route within a closed time interval.
  ///
  /// The handler is called at least once, with an empty array if there are no locations.
  @preconcurrency
  public init(
    route workoutRoute: HKWorkoutRoute, dateInterval: DateInterval,
    dataHandler:
      @escaping @Sendable (
        HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?
      ) -> Void
  ) {
    route = workoutRoute
    interval = dateInterval
    self.dataHandler = dataHandler
    super.init(objectType: HKSeriesType.workoutRoute(), predicate: nil)
  }

  override func run(_ reader: StoreReader) throws {
    var series = try SeriesReader(route, reader)
    while execution.isRunning, let chunk = try series.next() {
      let locations = interval.map(chunk.locations(in:)) ?? chunk.locations
      let isLast = series.remaining == 0
      if locations.isEmpty, !isLast { continue }
      execution.deliver { dataHandler(self, locations, isLast, nil) }
    }
    execution.finish()
  }

  override func fail(_ error: any Error) { dataHandler(self, nil, true, error) }
}
