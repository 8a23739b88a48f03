public import Foundation

// Creates heartbeat series, and reads their heartbeats from chunks.
extension HKHeartbeatSeriesSample {
  /// Returns a series that is not saved yet.
  ///
  /// This is an addition for data from untrusted sources. Saving the series also saves its
  /// heartbeats. Its end is the time of the last heartbeat.
  ///
  /// - Throws: ``HKInvalidSampleError`` if there are no heartbeats or more than
  ///   `HKHeartbeatSeriesBuilder.maximumCount`, a time is negative, not finite or before the
  ///   preceding one, or the metadata cannot be stored.
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
    guard heartbeats.count <= HeartbeatSeriesPayload.maximumCount else {
      throw refuse("A series has at most \(HeartbeatSeriesPayload.maximumCount) heartbeats.")
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
        payload: HeartbeatSeriesPayload(count: heartbeats.count), children: chunks, device: device,
        metadata: metadata, sourceRevision: sourceRevision))
  }
}

extension PointChunk {
  /// The heartbeats of a chunk.
  var heartbeats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] {
    (0..<count).map {
      HKHeartbeatSeriesQueryDescriptor.Heartbeat(
        timeIntervalSinceStart: self[0, $0], precededByGap: self[1, $0] == 1)
    }
  }
}
