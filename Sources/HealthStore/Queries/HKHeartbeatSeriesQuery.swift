public import Foundation

/// Reads the heartbeats of a series in chronological order.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
  private let series: HKHeartbeatSeriesSample
  private let dataHandler:
    @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void

  /// Creates a query for the heartbeats of a series in the store.
  ///
  /// The handler receives, for each heartbeat, the seconds since the start of the series, whether
  /// heartbeats may be missing before it, and whether it is the last one. After an error it is not
  /// called again.
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
      for index in 0..<chunk.count {
        let isLast = series.remaining == 0 && index == chunk.count - 1
        execution.deliver {
          dataHandler(self, chunk[0, index], chunk[1, index] == 1, isLast, nil)
        }
      }
    }
    execution.finish()
  }

  override func fail(_ error: any Error) { dataHandler(self, 0, false, true, error) }
}
