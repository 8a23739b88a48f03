/// A sample that holds a series of data, such as a workout's route.
///
/// Abstract: a builder makes a subclass's objects, and a query reads what they hold.
open class HKSeriesSample: HKSample, @unchecked Sendable {
  /// How many pieces of data the series holds.
  open var count: Int { seriesPayload?.count ?? 0 }
}

extension HKSample {
  /// What the sample has as the owner of points; nil for one that owns none.
  final var seriesPayload: (any SeriesPayload)? {
    if let built { return built.payload as? any SeriesPayload }
    guard let type = sampleKind.payload else { return nil }
    return view.payload(anyOf: type, at: row) as? any SeriesPayload
  }
}
