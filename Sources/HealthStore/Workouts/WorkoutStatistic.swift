import Foundation

/// The statistics of one type's samples for a workout or an activity.
struct WorkoutStatistic: Sendable {
  let type: HKQuantityType
  /// The unit of all values; that of the first sample.
  let unit: HKUnit
  var values: StatisticsValues
  /// The weight of the average when statistics are joined; 0 for an imported summary.
  var weight = 0.0

  /// Returns the statistics as a HealthKit object.
  func object(from start: Date, to end: Date) -> HKStatistics {
    HKStatistics(type, from: start, to: end, unit: unit, merged: values)
  }

  /// Returns the statistics of quantity samples within bounds, sorted by type identifier.
  ///
  /// Cumulative samples count in proportion to their overlap with the bounds, discrete samples by
  /// the duration of the overlap. Without bounds, samples count completely. Other kinds of samples
  /// are ignored.
  ///
  /// - Throws: The errors of ``SampleValues``.
  static func all(
    of samples: [HKSample], in bounds: (start: Date, end: Date)? = nil, _ reader: SampleValues
  ) throws -> [WorkoutStatistic] {
    var found: [HKQuantityType: WorkoutStatistic] = [:]
    for case let sample as HKQuantitySample in samples {
      let (type, unit) = (sample.quantityType, sample.quantity.unit)
      try reader.forEach(of: sample) { value in
        guard let one = WorkoutStatistic(type, unit, value, in: bounds) else { return }
        found[type] = found[type].map { $0.joined(one) } ?? one
      }
    }
    return sorted(found.values)
  }

  /// Creates the statistics of one value; returns nil if it lies outside the bounds.
  private init?(
    _ type: HKQuantityType, _ unit: HKUnit, _ one: QuantityValue,
    in bounds: (start: Date, end: Date)?
  ) {
    let value = one.value
    let start = max(one.start, (bounds?.start ?? .distantPast).timeIntervalSinceReferenceDate)
    let end = min(one.end, (bounds?.end ?? .distantFuture).timeIntervalSinceReferenceDate)
    let (seconds, whole) = (end - start, one.end - one.start)
    // A value that ends at the start of the bounds does not overlap them, unless it is
    // instantaneous.
    guard seconds > 0 || (seconds == 0 && whole == 0) else { return nil }
    var values = StatisticsValues()
    values.mostRecent = StatisticsValues.MostRecent(
      value: value, start: one.start, end: one.end)
    var weight = 1.0
    if type.aggregationStyle == .cumulative {
      values.sum = whole > 0 ? value * (seconds / whole) : value
    } else {
      values.average = value
      values.minimum = value
      values.maximum = value
      if type.aggregationStyle != .discreteArithmetic { weight = seconds > 0 ? seconds : 1 }
    }
    self.init(type: type, unit: unit, values: values, weight: weight)
  }

  init(type: HKQuantityType, unit: HKUnit, values: StatisticsValues, weight: Double) {
    self.type = type
    self.unit = unit
    self.values = values
    self.weight = weight
  }

  /// Returns the combined statistics of both lists, by type.
  static func joined(
    _ left: [WorkoutStatistic], _ right: [WorkoutStatistic]
  ) -> [WorkoutStatistic] {
    if right.isEmpty { return left }
    var found: [HKQuantityType: WorkoutStatistic] = [:]
    for one in left + right { found[one.type] = found[one.type].map { $0.joined(one) } ?? one }
    return sorted(found.values)
  }

  /// Sorts by type identifier, so that equal statistics have equal encodings.
  private static func sorted(_ all: some Sequence<WorkoutStatistic>) -> [WorkoutStatistic] {
    all.sorted { $0.type.identifier < $1.type.identifier }
  }

  /// Returns the combination with statistics of the same type.
  private func joined(_ other: WorkoutStatistic) -> WorkoutStatistic {
    var result = self
    let factor = { (value: Double) in
      HKQuantity(unit: other.unit, doubleValue: value).converted(to: unit) ?? value
    }
    let theirs = other.values
    func join(
      _ path: WritableKeyPath<StatisticsValues, Double?>, _ body: (Double, Double) -> Double
    ) {
      guard let right = theirs[keyPath: path].map(factor) else { return }
      result.values[keyPath: path] = result.values[keyPath: path].map { body($0, right) } ?? right
    }
    join(\.sum, +)
    join(\.minimum) { min($0, $1) }
    join(\.maximum) { max($0, $1) }
    join(\.average) { left, right in
      let all = weight + other.weight
      guard all > 0 else { return left }
      if type.aggregationStyle == .discreteEquivalentContinuousLevel {
        // The mean of powers, relative to the higher level to avoid overflow.
        let loudest = max(left, right)
        let power =
          weight * pow(10, (left - loudest) / 10) + other.weight * pow(10, (right - loudest) / 10)
        return loudest + 10 * log10(power / all)
      }
      return (left * weight + right * other.weight) / all
    }
    result.weight = weight + other.weight
    if let recent = theirs.mostRecent {
      let mine = result.values.mostRecent
      if mine.map({ ($0.end, $0.start) <= (recent.end, recent.start) }) ?? true {
        result.values.mostRecent = StatisticsValues.MostRecent(
          value: factor(recent.value), start: recent.start, end: recent.end)
      }
    }
    return result
  }
}
