import Foundation

/// The length of an interval, split into calendar units and fixed seconds.
struct StatisticsStep: Sendable, Hashable {
  private(set) var years = 0

  /// Calendar months; a quarter is three.
  private(set) var months = 0

  /// Calendar days; a week is seven.
  private(set) var days = 0

  /// Hours and smaller units, in seconds; their length does not depend on the date.
  private(set) var seconds = 0.0

  /// The approximate length of the interval, in seconds.
  let approximateLength: Double

  /// Ten thousand years in seconds: the maximum length of an interval and the extent of a grid.
  static let reach = 10_000 * 31_556_952.0

  /// Whether all intervals have the same length in every calendar.
  var isFixed: Bool { years == 0 && months == 0 && days == 0 }

  /// Creates a step from date components.
  ///
  /// - Throws: ``HKStatisticsError`` if a component is negative or not a duration, or if the total
  ///   is zero, shorter than a millisecond or longer than ten thousand years.
  init(_ components: DateComponents) throws(HKStatisticsError) {
    if components.era != nil { throw .unsupportedComponent(name: "era") }
    let amounts = Self.amounts(of: components)
    for (name, amount, _) in amounts where amount < 0 {
      throw .negativeComponent(name: name, value: amount)
    }
    approximateLength = amounts.reduce(0) { $0 + Double($1.amount) * $1.unit.length }
    if approximateLength == 0 { throw .emptyInterval }
    if approximateLength < 1e-3 { throw .intervalTooShort(seconds: approximateLength) }
    if approximateLength > Self.reach { throw .intervalTooLong }
    for (_, amount, unit) in amounts {
      switch unit {
      case .years(let count): years += amount * count
      case .months(let count): months += amount * count
      case .days(let count): days += amount * count
      case .seconds(let length): seconds += Double(amount) * length
      }
    }
  }

  private enum Unit {
    case years(Int)
    case months(Int)
    case days(Int)
    case seconds(Double)

    /// The approximate length of the unit, in seconds.
    var length: Double {
      switch self {
      case .years(let count): Double(count) * 31_556_952
      case .months(let count): Double(count) * 2_629_746
      case .days(let count): Double(count) * 86_400
      case .seconds(let length): length
      }
    }
  }

  /// Returns the components that are set, by their public names.
  private static func amounts(
    of components: DateComponents
  ) -> [(name: String, amount: Int, unit: Unit)] {
    let all: [(String, Int?, Unit)] = [
      ("year", components.year, .years(1)),
      ("yearForWeekOfYear", components.yearForWeekOfYear, .years(1)),
      ("quarter", components.quarter, .months(3)),
      ("month", components.month, .months(1)),
      ("weekOfYear", components.weekOfYear, .days(7)),
      ("weekOfMonth", components.weekOfMonth, .days(7)),
      ("weekdayOrdinal", components.weekdayOrdinal, .days(7)),
      ("weekday", components.weekday, .days(1)),
      ("dayOfYear", components.dayOfYear, .days(1)),
      ("day", components.day, .days(1)),
      ("hour", components.hour, .seconds(3_600)),
      ("minute", components.minute, .seconds(60)),
      ("second", components.second, .seconds(1)),
      ("nanosecond", components.nanosecond, .seconds(1e-9)),
    ]
    return all.compactMap { name, amount, unit in amount.map { (name, $0, unit) } }
  }
}
