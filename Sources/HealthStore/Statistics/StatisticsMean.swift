import Foundation
internal import SampleLog

/// A running average according to a type's aggregation style.
struct StatisticsMean: Sendable {
  private let style: HKQuantityAggregationStyle
  private var total = 0.0
  private var weight = 0.0
  /// The highest level so far.
  ///
  /// The powers of other levels are stored relative to it.
  private var loudest = -Double.infinity

  init(_ style: HKQuantityAggregationStyle) { self.style = style }

  /// Adds a value that applied for a number of seconds.
  mutating func add(_ value: Double, seconds: Double) {
    switch style {
    case .cumulative: break
    case .discreteArithmetic:
      total += value
      weight += 1
    case .discreteTemporallyWeighted:
      total += value * seconds
      weight += seconds
    case .discreteEquivalentContinuousLevel:
      if value > loudest {
        total *= Self.power(loudest - value)
        loudest = value
      }
      total += Self.power(value - loudest) * seconds
      weight += seconds
    }
  }

  /// Adds values of equal weight, one second each in a weighted average.
  ///
  /// Not supported for equivalent continuous levels.
  mutating func add(_ aggregate: Aggregate) {
    total += aggregate.sum
    weight += Double(aggregate.count)
  }

  /// The average, or nil if no value has been added.
  var value: Double? {
    guard weight > 0 else { return nil }
    guard style == .discreteEquivalentContinuousLevel else { return total / weight }
    return loudest + 10 * log10(total / weight)
  }

  /// Returns the ratio of powers for a difference of levels in decibels.
  private static func power(_ decibels: Double) -> Double { pow(10, decibels / 10) }
}
