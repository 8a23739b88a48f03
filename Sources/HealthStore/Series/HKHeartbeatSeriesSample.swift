public import Foundation

/// A series of heartbeats, as seconds since its start.
///
/// Make one with an `HKHeartbeatSeriesBuilder`, and read its heartbeats with an
/// `HKHeartbeatSeriesQuery`.
open class HKHeartbeatSeriesSample: HKSeriesSample, @unchecked Sendable {
  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.kind == .heartbeatSeries && sample.payload is HeartbeatSeriesPayload
  }
}

extension HKHeartbeatSeriesSample {
  /// Makes a series that is not saved yet.
  ///
  /// Our addition, for data from outside; saving it saves the heartbeats with it. The series lasts
  /// from its start to its last heartbeat.
  ///
  /// - Throws: ``HKInvalidSampleError`` when there is no heartbeat or more than
  ///   `HKHeartbeatSeriesBuilder.maximumCount`, when a time is negative, not finite or less than
  ///   the one before, and for metadata that cannot be stored.
  public static func validated(
    start: Date,
    heartbeats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat],
    device: HKDevice? = nil,
    metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKHeartbeatSeriesSample {
    let type = HKSeriesType.heartbeat()
    func refuse(_ reason: String) -> HKInvalidSampleError {
      .invalidContents(type: type.identifier, reason: reason)
    }
    guard let last = heartbeats.last else { throw refuse("A series has a heartbeat at least.") }
    guard heartbeats.count <= HKHeartbeatSeriesBuilder.maximumCount else {
      throw refuse("A series has at most \(HKHeartbeatSeriesBuilder.maximumCount) heartbeats.")
    }
    var before = 0.0
    for beat in heartbeats {
      let time = beat.timeIntervalSinceStart
      guard time.isFinite, time >= before else {
        throw refuse("A heartbeat at \(time) s does not come after one at \(before) s.")
      }
      before = time
    }
    let chunks = PointChunk.chunks(.heartbeats, of: heartbeats) { beat, out, stride in
      out[0] = beat.timeIntervalSinceStart
      out[stride] = beat.precededByGap ? 1 : 0
    }
    return HKHeartbeatSeriesSample(
      built: try BuiltSample(
        validating: type, start: start,
        end: start.addingTimeInterval(last.timeIntervalSinceStart),
        payload: HeartbeatSeriesPayload(count: heartbeats.count), owned: chunks, device: device,
        metadata: metadata, sourceRevision: sourceRevision))
  }
}

extension PointChunk {
  /// The heartbeats of a chunk of them.
  var heartbeats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] {
    (0..<count).map {
      HKHeartbeatSeriesQueryDescriptor.Heartbeat(
        timeIntervalSinceStart: self[0, $0], precededByGap: self[1, $0] == 1)
    }
  }
}
