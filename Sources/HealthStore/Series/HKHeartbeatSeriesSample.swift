/// A series of heartbeats, each with its time since the start of the series.
///
/// Create one with an `HKHeartbeatSeriesBuilder`, and read its heartbeats with an
/// `HKHeartbeatSeriesQuery`.
open class HKHeartbeatSeriesSample: HKSeriesSample, @unchecked Sendable {
  override class var payloadType: (any SamplePayload.Type)? { HeartbeatSeriesPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.kind == .heartbeatSeries && sample.payload is HeartbeatSeriesPayload
  }
}
