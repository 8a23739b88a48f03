/// Numbered intervals that follow one another and cover all of time.
protocol StatisticsIntervals: Sendable {
  /// The number of the interval that holds a time: the last that begins then or before.
  func index(at time: Double) -> Int

  /// When an interval begins, which is when the one before it ends; never falls with the number.
  ///
  /// Negative or positive infinity where no interval begins any more.
  func start(of index: Int) -> Double

  /// Boundaries at equal distances, that of an interval among them.
  func evenBoundaries(around index: Int) -> EvenBoundaries
}

extension StatisticsIntervals {
  func evenBoundaries(around index: Int) -> EvenBoundaries {
    EvenBoundaries(indices: index...index, start: start(of: index), distance: 0)
  }
}

/// Boundaries at equal distances, which need no calendar once the first and the last are known.
struct EvenBoundaries: Sendable {
  /// The numbers of the intervals that the boundaries begin.
  var indices: ClosedRange<Int>

  /// The first boundary.
  var start: Double

  /// How far each is from the one before it.
  var distance: Double

  /// When an interval begins; nil where it is not one of these.
  func start(of index: Int) -> Double? {
    guard indices.contains(index) else { return nil }
    return start + Double(index - indices.lowerBound) * distance
  }
}

/// The only interval of a single statistics query, in which every sample counts whole.
struct WholeTime: StatisticsIntervals {
  func index(at time: Double) -> Int { 0 }

  func start(of index: Int) -> Double { index <= 0 ? -.infinity : .infinity }
}

/// Some of the intervals, with everything before them as one and everything after them as another.
struct BoundedIntervals<Base: StatisticsIntervals>: StatisticsIntervals {
  let base: Base

  /// The numbers of the intervals.
  let range: ClosedRange<Int>

  /// When the first begins and when the last ends.
  let start: Double
  let end: Double

  init(_ base: Base, _ range: ClosedRange<Int>) {
    self.base = base
    self.range = range
    start = base.start(of: range.lowerBound)
    end = base.start(of: range.upperBound + 1)
  }

  func index(at time: Double) -> Int {
    if time < start { return range.lowerBound - 1 }
    return time < end ? base.index(at: time) : range.upperBound + 1
  }

  func start(of index: Int) -> Double {
    if index < range.lowerBound { return -.infinity }
    return index > range.upperBound + 1 ? .infinity : base.start(of: index)
  }

  func evenBoundaries(around index: Int) -> EvenBoundaries {
    let inner = range.lowerBound...range.upperBound + 1
    let even = base.evenBoundaries(around: index)
    guard inner.contains(index),
      let first = even.start(of: max(inner.lowerBound, even.indices.lowerBound))
    else { return EvenBoundaries(indices: index...index, start: start(of: index), distance: 0) }
    return EvenBoundaries(
      indices: even.indices.clamped(to: inner), start: first, distance: even.distance)
  }
}
