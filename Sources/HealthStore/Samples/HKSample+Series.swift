extension HKSample {
  /// The payload of a sample with points, or nil if the sample has none.
  final var seriesPayload: (any SeriesPayload)? {
    if let built { return built.payload as? any SeriesPayload }
    guard let type = Swift.type(of: self).payloadType else { return nil }
    return view.payload(anyOf: type, at: row) as? any SeriesPayload
  }
}
