/// What was computed for the intervals that have samples, by the intervals' numbers.
///
/// Kept in pages of neighbouring intervals, which copies share until one of them changes a page.
struct StatisticsTable: Sendable {
  /// The intervals of each page that has any, rising.
  private var pages: [(number: Int, intervals: [StatisticsInterval])] = []

  /// The sources by the numbers that intervals know them by; empty unless asked for.
  private(set) var sources: [HKSource] = []

  /// How many intervals have samples.
  private(set) var count = 0

  private static let pageBits = 7

  /// Nothing has samples.
  init() {}

  /// Intervals in the order of their numbers, and the sources by the numbers in them.
  init(_ intervals: [StatisticsInterval], sources: [HKSource] = []) {
    self.sources = sources
    for interval in intervals { append(interval) }
  }

  /// The numbers from the first interval with samples to the last.
  var range: ClosedRange<Int>? {
    guard let first = pages.first?.intervals.first, let last = pages.last?.intervals.last else {
      return nil
    }
    return first.index...last.index
  }

  /// The interval of a number; nil where it has no samples.
  subscript(index: Int) -> StatisticsInterval? {
    let page = position(ofPage: index >> Self.pageBits)
    guard page < pages.count, pages[page].number == index >> Self.pageBits else { return nil }
    let intervals = pages[page].intervals
    let position = (0..<intervals.count).partitioningIndex { intervals[$0].index >= index }
    guard position < intervals.count, intervals[position].index == index else { return nil }
    return intervals[position]
  }

  /// Calls a function with each interval that has samples, in the order of time.
  func forEach(_ body: (StatisticsInterval) -> Void) {
    for page in pages { for interval in page.intervals { body(interval) } }
  }

  /// The sources that have samples in any interval.
  func sourcesWithSamples() -> Set<HKSource> {
    var found: Set<HKSource> = []
    forEach { interval in found.formUnion(interval.bySource.keys.lazy.map { sources[$0] }) }
    return found
  }

  /// Adds an interval behind the others.
  private mutating func append(_ interval: StatisticsInterval) {
    let number = interval.index >> Self.pageBits
    if pages.last?.number != number { pages.append((number, [])) }
    pages[pages.count - 1].intervals.append(interval)
    count += 1
  }

  /// Adds intervals behind the others, in the order of their numbers, which name sources by the
  /// numbers that they have in another list.
  mutating func append(_ intervals: [StatisticsInterval], sources: [HKSource]) {
    let numbers = sources.map { number(of: $0) }
    for interval in intervals { append(interval.renumbered(numbers)) }
  }

  /// Replaces the intervals of a range and returns the numbers of those that differ from before.
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

  /// Replaces everything and returns the numbers of the intervals that differ from before.
  mutating func replace(by other: StatisticsTable) -> [Int] {
    let before = self
    self = StatisticsTable([], sources: sources)
    append(other.intervals, sources: other.sources)
    return Self.differences(before.intervals, intervals)
  }

  private var intervals: [StatisticsInterval] { pages.flatMap(\.intervals) }

  /// The numbers of the intervals that are not equal in both, or in one only.
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

  /// Where a page is, or would be.
  private func position(ofPage number: Int) -> Int {
    (0..<pages.count).partitioningIndex { pages[$0].number >= number }
  }
}

extension StatisticsInterval {
  /// The interval with other numbers for the same sources.
  fileprivate func renumbered(_ numbers: [Int]) -> StatisticsInterval {
    if bySource.isEmpty { return self }
    var interval = self
    interval.bySource = [:]
    for (number, values) in bySource { interval.bySource[numbers[number]] = values }
    return interval
  }
}

extension Range<Int> {
  /// The first number of which a condition holds, which then holds of all after it.
  fileprivate func partitioningIndex(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
