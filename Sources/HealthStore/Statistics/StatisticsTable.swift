internal import SampleLog

/// The values of the intervals that have samples, by interval number.
///
/// Stored copy-on-write in pages of adjacent intervals: copies of the table share unmodified pages.
struct StatisticsTable: Sendable {
  /// The pages that hold intervals, in ascending order.
  private var pages: [(number: Int, intervals: [StatisticsInterval])] = []

  /// The sources, indexed by the numbers that intervals use; empty unless requested.
  private(set) var sources: [HKSource] = []

  /// The number of intervals that have samples.
  private(set) var count = 0

  private static let pageBits = 7

  init() {}

  /// Creates a table of intervals in ascending order, with sources indexed by the numbers they use.
  init(_ intervals: [StatisticsInterval], sources: [HKSource] = []) {
    self.sources = sources
    for interval in intervals { append(interval) }
  }

  /// The range of numbers from the first interval with samples to the last.
  var range: ClosedRange<Int>? {
    guard let first = pages.first?.intervals.first, let last = pages.last?.intervals.last else {
      return nil
    }
    return first.index...last.index
  }

  /// The interval with the given number, or nil if it has no samples.
  subscript(index: Int) -> StatisticsInterval? {
    let page = position(ofPage: index >> Self.pageBits)
    guard page < pages.count, pages[page].number == index >> Self.pageBits else { return nil }
    let intervals = pages[page].intervals
    let position = (0..<intervals.count).partition { intervals[$0].index < index }
    guard position < intervals.count, intervals[position].index == index else { return nil }
    return intervals[position]
  }

  /// Calls a function with each interval that has samples, in chronological order.
  func forEach(_ body: (StatisticsInterval) -> Void) {
    for page in pages { for interval in page.intervals { body(interval) } }
  }

  /// Returns the sources that have samples in any interval.
  func sourcesWithSamples() -> Set<HKSource> {
    var found: Set<HKSource> = []
    forEach { interval in found.formUnion(interval.bySource.keys.lazy.map { sources[$0] }) }
    return found
  }

  private mutating func append(_ interval: StatisticsInterval) {
    let number = interval.index >> Self.pageBits
    if pages.last?.number != number { pages.append((number, [])) }
    pages[pages.count - 1].intervals.append(interval)
    count += 1
  }

  /// Appends intervals in ascending order.
  ///
  /// Their source numbers refer to the given list.
  mutating func append(_ intervals: [StatisticsInterval], sources: [HKSource]) {
    let numbers = sources.map { number(of: $0) }
    for interval in intervals { append(interval.renumbered(numbers)) }
  }

  /// Replaces the intervals of a range and returns the numbers of those that changed.
  ///
  /// - Complexity: Linear in the range's intervals with samples and in the number of pages.
  mutating func replace(
    _ range: ClosedRange<Int>, by intervals: [StatisticsInterval], sources: [HKSource]
  ) -> [Int] {
    let numbers = sources.map { number(of: $0) }
    let new = intervals.map { $0.renumbered(numbers) }
    let first = position(ofPage: range.lowerBound >> Self.pageBits)
    let end = position(ofPage: (range.upperBound >> Self.pageBits) + 1)
    let old = pages[first..<end].flatMap(\.intervals)
    let replaced = old.filter { range.contains($0.index) }
    var part = StatisticsTable()
    for interval in old where interval.index < range.lowerBound { part.append(interval) }
    for interval in new { part.append(interval) }
    for interval in old where interval.index > range.upperBound { part.append(interval) }
    pages.replaceSubrange(first..<end, with: part.pages)
    count += new.count - replaced.count
    return Self.differences(replaced, new)
  }

  /// Replaces the complete table and returns the numbers of the intervals that changed.
  mutating func replace(by other: StatisticsTable) -> [Int] {
    let before = self
    self = StatisticsTable([], sources: sources)
    append(other.intervals, sources: other.sources)
    return Self.differences(before.intervals, intervals)
  }

  private var intervals: [StatisticsInterval] { pages.flatMap(\.intervals) }

  /// Returns the numbers of the intervals that differ or exist in only one list.
  private static func differences(
    _ old: [StatisticsInterval], _ new: [StatisticsInterval]
  ) -> [Int] {
    var found: [Int] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let (one, other) = (
        left < old.count ? old[left].index : .max, right < new.count ? new[right].index : .max
      )
      if one != other || old[left] != new[right] { found.append(min(one, other)) }
      left += one <= other ? 1 : 0
      right += other <= one ? 1 : 0
    }
    return found
  }

  private mutating func number(of source: HKSource) -> Int {
    if let number = sources.firstIndex(of: source) { return number }
    sources.append(source)
    return sources.count - 1
  }

  /// Returns the position of a page, or the position to insert it at.
  private func position(ofPage number: Int) -> Int {
    (0..<pages.count).partition { pages[$0].number < number }
  }
}

extension StatisticsInterval {
  /// Returns the interval with its source numbers mapped.
  fileprivate func renumbered(_ numbers: [Int]) -> StatisticsInterval {
    if bySource.isEmpty { return self }
    var interval = self
    interval.bySource = [:]
    for (number, values) in bySource { interval.bySource[numbers[number]] = values }
    return interval
  }
}
