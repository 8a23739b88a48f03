public import Foundation

/// Reads the heartbeats of a series, in order of their time.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery, Sendable {
  /// The heartbeats.
  public typealias Sequence = Results

  /// One heartbeat.
  public struct Heartbeat: Hashable, Sendable {
    /// Seconds since the start of the series.
    public let timeIntervalSinceStart: TimeInterval

    /// Whether heartbeats may be missing between this one and that before.
    public let precededByGap: Bool

    /// Makes a heartbeat.
    ///
    /// Our addition, for ``HKHeartbeatSeriesSample``s from outside.
    public init(timeIntervalSinceStart: TimeInterval, precededByGap: Bool) {
      self.timeIntervalSinceStart = timeIntervalSinceStart
      self.precededByGap = precededByGap
    }
  }

  /// The series, which must be in the store.
  public var sample: HKHeartbeatSeriesSample

  /// Makes a descriptor for a series.
  public init(_ sample: HKHeartbeatSeriesSample) { self.sample = sample }

  /// Returns the heartbeats, which are read 1,024 at a time as iteration comes to them.
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

    /// What reads the heartbeats.
    public typealias AsyncIterator = Iterator

    let sample: HKHeartbeatSeriesSample
    let healthStore: HKHealthStore

    /// Returns a reader of its own, which sees what is stored when it begins.
    public func makeAsyncIterator() -> Iterator {
      Iterator(source: SeriesElements(healthStore, sample) { $0.heartbeats })
    }

    /// Reads the heartbeats, from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let source: SeriesElements<Heartbeat>
      private var batch: ArraySlice<Heartbeat> = []

      init(source: SeriesElements<Heartbeat>) { self.source = source }

      /// Returns the next heartbeat; `nil` after the last.
      ///
      /// - Returns: The heartbeat.
      /// - Throws: `CancellationError` when the task is cancelled, or ``HKError``:
      ///   `errorInvalidArgument` when the store does not have the series.
      public mutating func next() async throws -> Heartbeat? {
        if batch.isEmpty { batch = try await source.next()?[...] ?? [] }
        return batch.popFirst()
      }
    }
  }
}
