import Foundation
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Compares sums of time with counting second by second.
@Suite struct TimeSumsTests {
  private static let length = 100
  private static let grid = StatisticsGrid(
    anchor: Date(timeIntervalSinceReferenceDate: 0), components: DateComponents(second: length),
    calendar: Calendar(identifier: .gregorian))

  /// Returns the sums of spans whose values are minutes and whose ranks are their sources.
  private func sums(_ spans: [StatisticsSpan]) -> [Int: TimeSums<StatisticsGrid>.Sums] {
    var sums = TimeSums(Self.grid, secondsInUnit: 60)
    for span in spans.sorted(by: { $0.start < $1.start }) { sums.add(span, of: span.rank) }
    return sums.finish()
  }

  private func span(_ start: Int, _ end: Int, seconds: Double, source: Int = 0) -> StatisticsSpan {
    StatisticsSpan(
      start: Double(start), end: Double(end), value: seconds / 60, rank: source, sequence: 0)
  }

  /// Counts the seconds of an interval one by one.
  private func seconds(_ spans: [StatisticsSpan], in interval: Int) -> Double {
    let first = interval * Self.length
    return (first..<first + Self.length).map(Double.init).reduce(0) { sum, second in
      var (whole, part) = (0.0, 0.0)
      for span in spans {
        let claimed = span.value * 60
        if span.end - span.start >= claimed, span.end > span.start {
          if span.start <= second, second < span.end {
            part = max(part, claimed / (span.end - span.start))
          }
          continue
        }
        // A value longer than its span counts from the span's start in each interval.
        let start = max(span.start, Double(first))
        let end = min(span.end, Double(first + Self.length))
        let isInside =
          span.end > span.start ? start < end : start == span.start && start < Double(first + 100)
        guard isInside else { continue }
        let length =
          span.end > span.start ? claimed * (end - start) / (span.end - span.start) : claimed
        if second >= start { whole = max(whole, min(1, max(0, start + length - second))) }
      }
      return sum + whole + (1 - whole) * part
    }
  }

  @Test func `overlapping spans of one source count once`() {
    let found = sums([span(0, 40, seconds: 40), span(20, 60, seconds: 40)])
    #expect(found.mapValues(\.merged) == [0: 1])
    #expect(found[0]?.bySource == [0: 1])
  }

  @Test func `an instant with more seconds than its interval is cut at the interval's end`() {
    #expect(sums([span(70, 70, seconds: 120)]).mapValues(\.merged) == [0: 0.5])
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `random spans agree with counting every second`(seed: UInt64) {
    var random = Seeded(seed)
    let spans = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      let start = Int.random(in: -250..<250, using: &random)
      let length = Int.random(in: 0...(Bool.random(using: &random) ? 20 : 250), using: &random)
      let claims = [1.0, 1, 0.25, 0.5, 3]
      let claim = claims[Int.random(in: 0..<claims.count, using: &random)]
      return span(
        start, start + length, seconds: claim * Double(max(length, 1)),
        source: Int.random(in: 0..<3, using: &random))
    }
    let found = sums(spans)
    for interval in -3..<5 {
      let expected = seconds(spans, in: interval) / 60
      #expect(abs((found[interval]?.merged ?? 0) - expected) < 1e-9, "\(interval)")
      #expect((found[interval]?.merged ?? 0) <= Double(Self.length) / 60)
      for source in 0..<3 {
        let own = seconds(spans.filter { $0.rank == source }, in: interval) / 60
        #expect(abs((found[interval]?.bySource[source] ?? 0) - own) < 1e-9)
      }
    }
  }
}
