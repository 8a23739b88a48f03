/// Numbered, consecutive intervals that cover all of time.
protocol StatisticsIntervals: Sendable {
  /// Returns the number of the interval that contains a time: the last one that begins at or before
  /// it.
  func index(at time: Double) -> Int

  /// Returns the start of an interval, which is the end of the preceding one. Starts never decrease
  /// with the number.
  ///
  /// Returns negative or positive infinity for numbers beyond the first or last interval.
  func start(of index: Int) -> Double

  /// Returns equidistant boundaries that include the start of the given interval.
  func evenBoundaries(around index: Int) -> EvenBoundaries
}

extension StatisticsIntervals {
  func evenBoundaries(around index: Int) -> EvenBoundaries {
    EvenBoundaries(indices: index...index, start: start(of: index), distance: 0)
  }
}

/// Equidistant boundaries, computed without a calendar once the first and the last are known.
struct EvenBoundaries: Sendable {
  /// The numbers of the intervals that begin at the boundaries.
  var indices: ClosedRange<Int>

  /// The first boundary.
  var start: Double

  /// The distance between adjacent boundaries, in seconds.
  var distance: Double

  /// Returns the start of an interval, or nil if its number is not in `indices`.
  func start(of index: Int) -> Double? {
    guard indices.contains(index) else { return nil }
    return start + Double(index - indices.lowerBound) * distance
  }

  /// Adds other boundaries if they continue these at the same distance.
  mutating func join(_ other: EvenBoundaries?) {
    guard let other, other.distance == distance, indices.overlaps(other.indices) else { return }
    let first = min(indices.lowerBound, other.indices.lowerBound)
    let shared = max(indices.lowerBound, other.indices.lowerBound)
    guard start(of: shared) == other.start(of: shared) else { return }
    start = min(start, other.start)
    indices = first...max(indices.upperBound, other.indices.upperBound)
  }

  /// Returns the index of the interval that contains a time.
  ///
  /// Returns nil if the time does not lie between two of the boundaries.
  func index(at time: Double) -> Int? {
    guard distance > 0, time >= start else { return nil }
    let steps = ((time - start) / distance).rounded(.down)
    guard steps < Double(indices.count) else { return nil }
    var index = indices.lowerBound + Int(steps)
    // The quotient may be rounded up to a whole number.
    while let own = self.start(of: index), own > time { index -= 1 }
    guard let next = self.start(of: index + 1) else { return nil }
    return time < next ? index : nil
  }
}

/// The single interval of a statistics query, which contains every sample completely.
struct WholeTime: StatisticsIntervals {
  func index(at time: Double) -> Int { 0 }

  func start(of index: Int) -> Double { index <= 0 ? -.infinity : .infinity }
}

/// A range of intervals.
///
/// Everything before and after the range is one interval each.
struct BoundedIntervals<Base: StatisticsIntervals>: StatisticsIntervals {
  let base: Base

  /// The numbers of the intervals in the range.
  let range: ClosedRange<Int>

  /// The start of the first interval and the end of the last.
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
