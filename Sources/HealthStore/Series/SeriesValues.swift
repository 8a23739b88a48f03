import Foundation
import SampleLog

/// Walks the values of one stored quantity series in the order of their start.
///
/// It holds one chunk at a time.
struct SeriesValues: Sendable {
  private var series: SeriesReader
  private var chunk: PointChunk?
  private var point = 0

  /// The value that comes next.
  private(set) var next: QuantityValue

  /// Goes to the first value that a reader finds; nil when there is none.
  ///
  /// - Throws: What ``advance()`` throws.
  init?(_ series: SeriesReader) throws {
    guard series.end < Date.distantFuture.timeIntervalSinceReferenceDate else {
      throw series.damage("points and no end")
    }
    self.series = series
    next = QuantityValue(value: 0, start: -.infinity, end: -.infinity)
    point = -1
    guard try advance() else { return nil }
  }

  /// Goes on to the next value; false when there is none.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when values are missing, come in another
  ///   order, or lie outside the sample's time.
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
