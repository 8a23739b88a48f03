import Foundation

/// The intervals of a statistics collection: a calendar step, repeated from an anchor date.
///
/// Boundary `n` is the anchor plus `n` steps, added at once. So a monthly grid that begins on the
/// 31st returns to the 31st after a shorter month, and a day has 23 or 25 hours at a
/// daylight-saving transition. Intervals before the anchor have negative numbers.
///
/// The first interval includes everything before the year 1, and the last includes everything in
/// and after the year 10000, or 4001 if intervals are longer than a century. Finding an interval
/// takes a few calendar computations, or a logarithmic number if the calendar's months and years
/// differ much from the Gregorian ones. Intervals of fixed length need no calendar.
struct StatisticsGrid: StatisticsIntervals, Sendable {
  /// The start of interval 0.
  let anchor: Date

  /// The length of one interval.
  let step: StatisticsStep

  /// The calendar for components of a day or longer.
  let calendar: Calendar

  /// The latest start of the last interval.
  private let last: Double

  /// The cached boundaries, or nil if they are not cached.
  private let known: KnownBoundaries?

  /// Creates a grid.
  ///
  /// The components' calendar and time zone take precedence over the given calendar.
  ///
  /// - Precondition: `validated(anchor:components:calendar:)` does not throw.
  init(anchor: Date, components: DateComponents, calendar: Calendar) {
    do {
      self = try Self.validated(anchor: anchor, components: components, calendar: calendar)
    } catch {
      fatalError("\(error)")
    }
  }

  /// Returns a grid, or throws where the initialiser would trap.
  ///
  /// - Throws: ``HKStatisticsError`` if the components are not a valid interval or the anchor is
  ///   out of range.
  static func validated(
    anchor: Date, components: DateComponents, calendar: Calendar
  ) throws(HKStatisticsError) -> StatisticsGrid {
    // Compares numbers, because a NaN is outside every range of numbers but inside a range of
    // dates.
    guard (Self.first...Self.lastAnchor).contains(anchor.timeIntervalSinceReferenceDate) else {
      throw .anchorOutOfRange
    }
    var calendar = components.calendar ?? calendar
    if let timeZone = components.timeZone { calendar.timeZone = timeZone }
    return StatisticsGrid(anchor: anchor, step: try StatisticsStep(components), calendar: calendar)
  }

  private init(anchor: Date, step: StatisticsStep, calendar: Calendar) {
    self.anchor = anchor
    self.step = step
    self.calendar = calendar
    last = step.approximateLength > Self.century ? Self.lastAnchor : Self.year10000
    known = step.isFixed ? nil : .shared(anchor, step, calendar)
  }

  func startDate(of index: Int) -> Date { Self.date(start(of: index)) }

  /// Returns a boundary as a date, clamped to the distant past and the distant future.
  static func date(_ start: Double) -> Date {
    if start == -.infinity { return .distantPast }
    return start == .infinity ? .distantFuture : Date(timeIntervalSinceReferenceDate: start)
  }

  /// Returns the number of the interval that contains a date.
  func index(at date: Date) -> Int { index(at: date.timeIntervalSinceReferenceDate) }

  func start(of index: Int) -> Double {
    let distance = Double(index) * step.approximateLength
    if abs(distance) > StatisticsStep.reach { return distance < 0 ? -.infinity : .infinity }
    var start = anchor.timeIntervalSinceReferenceDate
    if !step.isFixed {
      let components = DateComponents(
        year: step.years == 0 ? nil : step.years * index,
        month: step.months == 0 ? nil : step.months * index,
        day: step.days == 0 ? nil : step.days * index)
      guard let date = calendar.date(byAdding: components, to: anchor) else {
        return distance < 0 ? -.infinity : .infinity
      }
      start = date.timeIntervalSinceReferenceDate
    }
    start += Double(index) * step.seconds
    if start <= Self.first { return -.infinity }
    return start > last ? .infinity : start
  }

  func index(at time: Double) -> Int {
    // With the arguments in this order, a NaN becomes the first date.
    let time = min(last, max(Self.first, time))
    let steps = (time - anchor.timeIntervalSinceReferenceDate) / step.approximateLength
    var low = Int(steps.rounded(.down))
    // Most times lie between cached boundaries, or between some that take two calendar computations
    // to find.
    if let index = known?.last?.index(at: time) { return index }
    if !step.isFixed, let index = evenBoundaries(around: low).index(at: time) { return index }
    var high = low + 1
    var stride = 1
    while start(of: low) > time {
      high = low
      low -= stride
      stride *= 2
    }
    stride = 1
    while start(of: high) <= time {
      low = high
      high += stride
      stride *= 2
    }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if start(of: middle) <= time { low = middle } else { high = middle }
    }
    return low
  }

  /// Computes every sixth midnight with the calendar, as long as the UTC offset does not change in
  /// between.
  ///
  /// If two boundaries six days apart differ by exactly six steps, the offset did not change: since
  /// 1970 no time zone has changed its offset and changed it back within six days. Before 1970
  /// every boundary is computed with the calendar.
  func evenBoundaries(around index: Int) -> EvenBoundaries {
    let last = known?.last
    if let last, last.start(of: index) != nil { return last }
    var boundaries = computedBoundaries(around: index)
    guard boundaries.distance > 0 else { return boundaries }
    boundaries.join(last)
    known?.last = boundaries
    return boundaries
  }

  private func computedBoundaries(around index: Int) -> EvenBoundaries {
    let count = Self.evenDays / max(1, step.days)
    if count > 1, step.days > 0, step.months == 0, step.years == 0 {
      let distance = Double(step.days) * 86_400 + step.seconds
      let first = index - (index % count + count) % count
      let (start, end) = (start(of: first), start(of: first + count))
      // Adding whole seconds is exact.
      let isExact = start == start.rounded() && distance == distance.rounded()
      if isExact, start >= Self.year1970, end - start == Double(count) * distance {
        return EvenBoundaries(
          indices: first...first + count, start: start, distance: distance)
      }
    }
    return EvenBoundaries(indices: index...index, start: start(of: index), distance: 0)
  }

  private static let evenDays = 6
  private static let year1970 = Date(timeIntervalSince1970: 0).timeIntervalSinceReferenceDate
  private static let first = Date.distantPast.timeIntervalSinceReferenceDate
  private static let lastAnchor = Date.distantFuture.timeIntervalSinceReferenceDate
  private static let year10000 = 252_423_993_600.0
  private static let century = 3_155_695_200.0
}
