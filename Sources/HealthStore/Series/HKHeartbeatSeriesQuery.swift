public import Foundation

/// Reads the heartbeats of a series, in order of their time.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
  private let series: HKHeartbeatSeriesSample
  private let dataHandler:
    @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void

  /// Makes a query for the heartbeats of a series that is in the store.
  ///
  /// The handler is called for each heartbeat with the seconds since the start of the series,
  /// whether heartbeats may be missing before it, and whether it is the last; or with an error,
  /// after which it is not called any more.
  @preconcurrency
  public init(
    heartbeatSeries: HKHeartbeatSeriesSample,
    dataHandler:
      @escaping @Sendable (
        HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?
      ) -> Void
  ) {
    series = heartbeatSeries
    self.dataHandler = dataHandler
    super.init(objectType: HKSeriesType.heartbeat(), predicate: nil)
  }

  override func run(_ reader: StoreReader) throws {
    var series = try SeriesReader(series, reader)
    while execution.isRunning, let chunk = try series.next() {
      for (index, beat) in chunk.heartbeats.enumerated() {
        let isLast = series.remaining == 0 && index == chunk.count - 1
        execution.deliver {
          dataHandler(self, beat.timeIntervalSinceStart, beat.precededByGap, isLast, nil)
        }
      }
    }
    execution.finish()
  }

  override func fail(_ error: any Error) { dataHandler(self, 0, false, true, error) }
}
