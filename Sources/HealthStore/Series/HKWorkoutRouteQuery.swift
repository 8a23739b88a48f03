public import CoreLocation
public import Foundation

/// Reads the locations of a workout's route, in order of their time.
///
/// They come in batches of at most 1,024, each read as the one before was delivered, so a route of
/// any length takes little memory.
open class HKWorkoutRouteQuery: HKQuery, @unchecked Sendable {
  private let route: HKWorkoutRoute
  private let interval: DateInterval?
  private let dataHandler:
    @Sendable (HKWorkoutRouteQuery, [CLLocation]?, Bool, (any Error)?) -> Void

  /// Makes a query for all locations of a route that is in the store.
  ///
  /// The handler gets the next locations, and whether they are the last, or `nil` and an error,
  /// after which it is not called any more.
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

  /// Makes a query for the locations of a route whose time is in an interval, its ends included.
  ///
  /// The handler is called once at least, with no locations where there are none.
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
