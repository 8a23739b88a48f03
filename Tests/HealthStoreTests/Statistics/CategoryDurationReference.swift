@testable import HealthStore

/// A plain and slow implementation of the rules of category durations.
///
/// Cuts each interval at every start and end of a sample, examines every sample in every piece, and
/// shares no code with the sweep.
struct CategoryDurationReference {
  /// The ascending boundaries of intervals, including the last end.
  let boundaries: [Double]
  /// The number of the interval that begins at the first boundary.
  let firstIndex: Int
  let sourceOfRank: [Int]

  /// The seconds of each value, by interval and value.
  func durations(_ spans: [StatisticsSpan]) -> [Int: [Int: Double]] {
    let taking = spans.filter { !$0.hasUnknownEnd && $0.end > $0.start }
    let dates = Set(boundaries + taking.flatMap { [$0.start, $0.end] }).sorted()
    var found: [Int: [Int: Double]] = [:]
    for (start, end) in zip(dates, dates.dropFirst()) {
      let active = taking.filter { $0.start <= start && $0.end >= end }
      guard let best = active.min(by: { $0.rank < $1.rank }) else { continue }
      let leading = active.filter { sourceOfRank[$0.rank] == sourceOfRank[best.rank] }
      let interval = firstIndex + (boundaries.lastIndex { $0 <= start } ?? 0)
      for value in Set(leading.map { Int($0.value) }) {
        found[interval, default: [:]][value, default: 0] += end - start
      }
    }
    return found
  }
}
