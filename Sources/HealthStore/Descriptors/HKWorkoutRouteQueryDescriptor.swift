public import CoreLocation

/// Reads the locations of a workout's route in chronological order.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery, Sendable {
  /// The locations.
  public typealias Sequence = Results

  /// The route, which must be in the store.
  public var workoutRoute: HKWorkoutRoute

  /// Creates a descriptor for a route.
  public init(_ workoutRoute: HKWorkoutRoute) { self.workoutRoute = workoutRoute }

  /// Returns a sequence of locations, which are read in batches of 1,024 during iteration.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The locations.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(workoutRoute: workoutRoute, healthStore: healthStore)
  }

  /// The locations of a route.
  public struct Results: AsyncSequence, Sendable {
    /// One location.
    public typealias Element = CLLocation

    /// The iterator over locations.
    public typealias AsyncIterator = Iterator

    let workoutRoute: HKWorkoutRoute
    let healthStore: HKHealthStore

    /// Returns an iterator over a snapshot of the store taken when iteration begins.
    public func makeAsyncIterator() -> Iterator {
      Iterator(source: SeriesElements(healthStore, workoutRoute) { $0.locations })
    }

    /// Iterates over the locations.
    ///
    /// Not safe for concurrent use by several tasks.
    public struct Iterator: AsyncIteratorProtocol {
      let source: SeriesElements<CLLocation>
      private var batch: ArraySlice<CLLocation> = []

      init(source: SeriesElements<CLLocation>) { self.source = source }

      /// Returns the next location, or nil after the last.
      ///
      /// - Returns: The location.
      /// - Throws: `CancellationError` if the task is cancelled, or ``HKError``:
      ///   `errorInvalidArgument` if the route is not in the store.
      public mutating func next() async throws -> CLLocation? {
        if batch.isEmpty { batch = try await source.next()?[...] ?? [] }
        return batch.popFirst()
      }
    }
  }
}
