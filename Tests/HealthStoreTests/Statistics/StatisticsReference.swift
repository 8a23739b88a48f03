import Foundation

@testable import HealthStore

/// A plain and slow implementation of the rules of merging.
///
/// Cuts each interval at every start and end of a sample, examines every sample in every piece, and
/// shares no code with the sweep.
struct StatisticsReference {
  /// The ascending boundaries of intervals, including the last end.
  let boundaries: [Double]
  /// The number of the interval that begins at the first boundary.
  let firstIndex: Int
  let style: HKQuantityAggregationStyle
  let sourceOfRank: [Int]

  func intervals(_ spans: [StatisticsSpan]) -> [StatisticsInterval] {
    (0..<boundaries.count - 1).compactMap { number in
      let range = boundaries[number]..<max(boundaries[number], boundaries[number + 1])
      let present = spans.filter { isPresent($0, in: range) }
      if present.isEmpty { return nil }
      let bySource = Dictionary(grouping: present) { sourceOfRank[$0.rank] }
      return StatisticsInterval(
        index: firstIndex + number, count: present.count, merged: values(of: present, in: range),
        bySource: bySource.mapValues { values(of: $0, in: range) })
    }
  }

  private func end(of span: StatisticsSpan) -> Double {
    span.hasUnknownEnd ? span.start : span.end
  }

  private func isPresent(_ span: StatisticsSpan, in range: Range<Double>) -> Bool {
    if end(of: span) == span.start { return range.contains(span.start) }
    return span.start < range.upperBound && end(of: span) > range.lowerBound
  }

  private func values(of spans: [StatisticsSpan], in range: Range<Double>) -> StatisticsValues {
    var values = StatisticsValues()
    values.duration = 0
    var sum = 0.0
    for piece in pieces(of: spans, in: range) {
      let active = spans.filter {
        $0.start <= piece.lowerBound && end(of: $0) >= piece.upperBound
          && end(of: $0) > $0.start
      }
      guard let leader = leader(of: active) else { continue }
      let length = piece.upperBound - piece.lowerBound
      values.duration? += length
      for span in active where sourceOfRank[span.rank] == leader {
        sum += span.value * length / (span.end - span.start)
      }
    }
    for point in spans where end(of: point) == point.start {
      let moment = spans.filter {
        $0.start == point.start || ($0.start < point.start && end(of: $0) > point.start)
      }
      if sourceOfRank[point.rank] == leader(of: moment) { sum += point.value }
    }
    if style == .cumulative {
      values.sum = sum
    } else {
      values.minimum = spans.map(\.value).min()
      values.maximum = spans.map(\.value).max()
      values.average = average(of: spans, in: range)
    }
    let latest = spans.sorted { ($0.end, $0.start, $0.sequence) < ($1.end, $1.start, $1.sequence) }
    values.mostRecent = latest.last.map { .init(value: $0.value, start: $0.start, end: $0.end) }
    return values
  }

  /// The source of the sample with the highest priority.
  private func leader(of spans: [StatisticsSpan]) -> Int? {
    spans.map(\.rank).min().map { sourceOfRank[$0] }
  }

  private func pieces(
    of spans: [StatisticsSpan], in range: Range<Double>
  ) -> [Range<Double>] {
    let dates = spans.flatMap { [$0.start, end(of: $0)] }.filter { range.contains($0) }
    let cuts = Set(dates + [range.lowerBound, range.upperBound]).sorted()
    return zip(cuts, cuts.dropFirst()).map { $0..<$1 }
  }

  private func average(of spans: [StatisticsSpan], in range: Range<Double>) -> Double {
    let weights = spans.map { span in
      if style == .discreteArithmetic || end(of: span) == span.start { return 1.0 }
      return min(span.end, range.upperBound) - max(span.start, range.lowerBound)
    }
    let isLevel = style == .discreteEquivalentContinuousLevel
    let total = zip(spans, weights).reduce(0) { total, part in
      total + part.1 * (isLevel ? pow(10, part.0.value / 10) : part.0.value)
    }
    let mean = total / weights.reduce(0, +)
    return isLevel ? 10 * log10(mean) : mean
  }
}
