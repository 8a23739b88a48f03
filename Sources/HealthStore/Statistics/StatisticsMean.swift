import Foundation
internal import SampleLog

/// An average as a type's aggregation style forms it.
struct StatisticsMean: Sendable {
  private let style: HKQuantityAggregationStyle
  private var total = 0.0
  private var weight = 0.0
  /// The highest level so far: the powers of others are counted in its own.
  private var loudest = -Double.infinity

  init(_ style: HKQuantityAggregationStyle) { self.style = style }

  /// Adds a number that held for so many seconds.
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

  /// Adds numbers that all count the same, each for a second where time matters; there is no such
  /// sum of levels.
  mutating func add(_ aggregate: Aggregate) {
    total += aggregate.sum
    weight += Double(aggregate.count)
  }

  /// The average; nil where there is none.
  var value: Double? {
    guard weight > 0 else { return nil }
    guard style == .discreteEquivalentContinuousLevel else { return total / weight }
    return loudest + 10 * log10(total / weight)
  }

  /// How many times the power of another level one has that many decibels above it.
  private static func power(_ decibels: Double) -> Double { pow(10, decibels / 10) }
}
