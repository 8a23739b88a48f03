import SampleLog

/// The payload of a sample whose points are stored in child rows.
package protocol SeriesPayload: SamplePayload {
  static var layout: PointLayout { get }
  /// The number of points, at least 1.
  var count: Int { get }
}

/// The payload of a series without data other than its points.
///
/// A version byte and the number of points.
package protocol PlainSeriesPayload: SeriesPayload {
  init(count: Int)
}

extension PlainSeriesPayload {
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.varint(UInt64(count))
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == 1, let count = reader.varint(), (1...UInt64(Int32.max)).contains(count),
      reader.isAtEnd
    else { return nil }
    self.init(count: Int(count))
  }
}

/// The payload of a workout's route.
package struct WorkoutRoutePayload: PlainSeriesPayload {
  package static let kind: UInt64 = 3
  package static let layout = PointLayout.locations
  package let count: Int

  package init(count: Int) { self.count = count }
}

/// The payload of a heartbeat series.
package struct HeartbeatSeriesPayload: PlainSeriesPayload {
  package static let kind: UInt64 = 4
  /// The maximum number of heartbeats: about a day's.
  static let maximumCount = 100_000
  package static let layout = PointLayout.heartbeats
  package let count: Int

  package init(count: Int) { self.count = count }
}
