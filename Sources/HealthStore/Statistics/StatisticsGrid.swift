import Foundation

/// The intervals of a statistics collection: a step of the calendar, repeated from an anchor date.
///
/// Boundary `n` is the anchor plus `n` steps at once, so that a grid of months which begins on the
/// 31st is on the 31st again after a shorter month, and a day has 23 or 25 hours where the clock is
/// changed. Numbers go below zero before the anchor.
///
/// The first interval holds everything up to the year 1 and the last one everything from the year
/// 10000 on, or 4001 where intervals are longer than a century. Finding an interval asks the
/// calendar a few times, and a logarithmic number of times where its months and years are far from
/// the Gregorian ones; equally long intervals need no calendar.
struct StatisticsGrid: StatisticsIntervals, Sendable {
  /// Where interval 0 begins.
  let anchor: Date

  /// The length of one interval.
  let step: StatisticsStep

  /// The calendar that days and longer are counted in.
  let calendar: Calendar

  /// Where the last interval begins at the latest.
  private let last: Double

  /// Lays a grid.
  ///
  /// The calendar is that of the components, if they have one, and so is its time zone.
  ///
  /// - Precondition: `validated(anchor:components:calendar:)` throws nothing.
  init(anchor: Date, components: DateComponents, calendar: Calendar) {
    do {
      self = try Self.validated(anchor: anchor, components: components, calendar: calendar)
    } catch {
      fatalError("\(error)")
    }
  }

  /// Lays a grid, or throws where the initialiser ends the process.
  ///
  /// - Throws: ``HKStatisticsError`` when the components are no interval or the anchor is out of
  ///   range.
  static func validated(
    anchor: Date, components: DateComponents, calendar: Calendar
  ) throws(HKStatisticsError) -> StatisticsGrid {
    // As a number, because what is no number is in no range; as a date it is in all.
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
  }

  /// When an interval begins.
  func startDate(of index: Int) -> Date { Self.date(start(of: index)) }

  /// A boundary as a date; those beyond all dates become the first or the last.
  static func date(_ start: Double) -> Date {
    if start == -.infinity { return .distantPast }
    return start == .infinity ? .distantFuture : Date(timeIntervalSinceReferenceDate: start)
  }

  /// The number of the interval that holds a date.
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
    // In this order of arguments, what is no number becomes the first date.
    let time = min(last, max(Self.first, time))
    let steps = (time - anchor.timeIntervalSinceReferenceDate) / step.approximateLength
    var low = Int(steps.rounded(.down))
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

  /// Asks the calendar for every sixth midnight only, as long as no clock is changed in between.
  ///
  /// That two boundaries six days apart are a multiple of a day apart shows it: from 1970 on no
  /// time zone has changed its clock and changed it back within less than that, and before then
  /// the calendar is asked for each boundary.
  func evenBoundaries(around index: Int) -> EvenBoundaries {
    let count = Self.evenDays / max(1, step.days)
    if count > 1, step.days > 0, step.months == 0, step.years == 0 {
      let distance = Double(step.days) * 86_400 + step.seconds
      let first = index - (index % count + count) % count
      let (start, end) = (start(of: first), start(of: first + count))
      // Whole seconds are added without rounding.
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
