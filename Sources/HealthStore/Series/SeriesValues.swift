import Foundation
import SampleLog

/// Iterates over the values of one stored quantity series in order of start.
///
/// Holds one chunk at a time.
struct SeriesValues: Sendable {
  private var series: SeriesReader
  private var chunk: PointChunk?
  private var point = 0

  private(set) var next: QuantityValue

  /// Moves to the first value of a reader; returns nil if there is none.
  ///
  /// - Throws: The errors of ``advance()``.
  init?(_ series: SeriesReader) throws {
    guard series.end < Date.distantFuture.timeIntervalSinceReferenceDate else {
      throw series.damage("points and no end")
    }
    self.series = series
    next = QuantityValue(value: 0, start: -.infinity, end: -.infinity)
    point = -1
    guard try advance() else { return nil }
  }

  /// Advances to the next value; returns false at the end.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if values are missing, out of order, or
  ///   outside the sample's dates.
  mutating func advance() throws -> Bool {
    point += 1
    if chunk.map({ point >= $0.count }) ?? true {
      chunk = try series.next()
      point = 0
    }
    guard let chunk else { return false }
    let value = chunk.value(point)
    // Comparisons with a NaN are false.
    guard value.value.isFinite, value.start >= max(next.start, series.start),
      value.start <= value.end, value.end <= series.end
    else { throw series.damage("points that make no sense") }
    next = value
    return true
  }
}
