/// A sample that holds a series of data, such as a workout's route.
///
/// Abstract; builders create objects of subclasses, and queries read their data.
open class HKSeriesSample: HKSample, @unchecked Sendable {
  /// The number of elements in the series.
  open var count: Int { seriesPayload?.count ?? 0 }
}

extension HKSample {
  /// The payload of a sample with points, or nil if the sample has none.
  final var seriesPayload: (any SeriesPayload)? {
    if let built { return built.payload as? any SeriesPayload }
    guard let type = Swift.type(of: self).payloadType else { return nil }
    return view.payload(anyOf: type, at: row) as? any SeriesPayload
  }
}
