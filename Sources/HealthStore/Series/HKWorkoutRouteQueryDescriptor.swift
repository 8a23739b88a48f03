public import CoreLocation

/// Reads the locations of a workout's route, in order of their time.
public struct HKWorkoutRouteQueryDescriptor: HKAsyncSequenceQuery, Sendable {
  /// The locations.
  public typealias Sequence = Results

  /// The route, which must be in the store.
  public var workoutRoute: HKWorkoutRoute

  /// Makes a descriptor for a route.
  public init(_ workoutRoute: HKWorkoutRoute) { self.workoutRoute = workoutRoute }

  /// Returns the locations, which are read 1,024 at a time as iteration comes to them.
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

    /// What reads the locations.
    public typealias AsyncIterator = Iterator

    let workoutRoute: HKWorkoutRoute
    let healthStore: HKHealthStore

    /// Returns a reader of its own, which sees what is stored when it begins.
    public func makeAsyncIterator() -> Iterator {
      Iterator(source: SeriesElements(healthStore, workoutRoute) { $0.locations })
    }

    /// Reads the locations, from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let source: SeriesElements<CLLocation>
      private var batch: ArraySlice<CLLocation> = []

      init(source: SeriesElements<CLLocation>) { self.source = source }

      /// Returns the next location; `nil` after the last.
      ///
      /// - Returns: The location.
      /// - Throws: `CancellationError` when the task is cancelled, or ``HKError``:
      ///   `errorInvalidArgument` when the store does not have the route.
      public mutating func next() async throws -> CLLocation? {
        if batch.isEmpty { batch = try await source.next()?[...] ?? [] }
        return batch.popFirst()
      }
    }
  }
}
