public import Foundation

/// Reads the heartbeats of a series in chronological order.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery, Sendable {
  /// The heartbeats.
  public typealias Sequence = Results

  /// One heartbeat.
  public struct Heartbeat: Hashable, Sendable {
    /// The time since the start of the series, in seconds.
    public let timeIntervalSinceStart: TimeInterval

    /// Whether heartbeats may be missing between this one and the preceding one.
    public let precededByGap: Bool

    /// Creates a heartbeat.
    ///
    /// This is an addition, for ``HKHeartbeatSeriesSample``s from untrusted sources.
    public init(timeIntervalSinceStart: TimeInterval, precededByGap: Bool) {
      self.timeIntervalSinceStart = timeIntervalSinceStart
      self.precededByGap = precededByGap
    }
  }

  /// The series, which must be in the store.
  public var sample: HKHeartbeatSeriesSample

  /// Creates a descriptor for a series.
  public init(_ sample: HKHeartbeatSeriesSample) { self.sample = sample }

  /// Returns a sequence of heartbeats, which are read in batches of 1,024 during iteration.
  ///
  /// - Parameter healthStore: The store to read.
  /// - Returns: The heartbeats.
  public func results(for healthStore: HKHealthStore) -> Results {
    Results(sample: sample, healthStore: healthStore)
  }

  /// The heartbeats of a series.
  public struct Results: AsyncSequence, Sendable {
    /// One heartbeat.
    public typealias Element = Heartbeat

    /// The iterator over heartbeats.
    public typealias AsyncIterator = Iterator

    let sample: HKHeartbeatSeriesSample
    let healthStore: HKHealthStore

    /// Returns an iterator over a snapshot of the store taken when iteration begins.
    public func makeAsyncIterator() -> Iterator {
      Iterator(source: SeriesElements(healthStore, sample) { $0.heartbeats })
    }

    /// Iterates over the heartbeats.
    ///
    /// Not safe for concurrent use by several tasks.
    public struct Iterator: AsyncIteratorProtocol {
      let source: SeriesElements<Heartbeat>
      private var batch: ArraySlice<Heartbeat> = []

      init(source: SeriesElements<Heartbeat>) { self.source = source }

      /// Returns the next heartbeat, or nil after the last.
      ///
      /// - Returns: The heartbeat.
      /// - Throws: `CancellationError` if the task is cancelled, or ``HKError``:
      ///   `errorInvalidArgument` if the series is not in the store.
      public mutating func next() async throws -> Heartbeat? {
        if batch.isEmpty { batch = try await source.next()?[...] ?? [] }
        return batch.popFirst()
      }
    }
  }
}
