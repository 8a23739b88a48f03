import SampleLog

/// Looks up the values of quantity samples, whether saved or not.
struct SampleValues: Sendable {
  private let snapshot: Snapshot

  /// Creates a reader that looks up saved samples in a snapshot.
  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Calls a function with each value of a sample, in order of start.
  ///
  /// A sample with a single value, or one that was deleted, yields its quantity.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if points cannot be read.
  func forEach(of sample: HKQuantitySample, _ body: (QuantityValue) -> Void) throws {
    if sample.seriesPayload != nil {
      let chunks = sample.built?.contents?.children.compactMap { $0 as? PointChunk } ?? []
      for chunk in chunks {
        for point in 0..<chunk.count { body(chunk.value(point)) }
      }
      if !chunks.isEmpty { return }
      if let row = try snapshot.row(Identifier(sample.uuid)) {
        var values = try SeriesValues(try SeriesReader(row, QuantitySeriesPayload.self, snapshot))
        while let next = values?.next {
          body(next)
          if try values?.advance() != true { values = nil }
        }
        return
      }
    }
    body(
      QuantityValue(
        value: sample.quantity.value, start: sample.startDate.timeIntervalSinceReferenceDate,
        end: sample.endDate.timeIntervalSinceReferenceDate))
  }
}
