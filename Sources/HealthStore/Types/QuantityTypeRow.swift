/// The properties of a quantity type.
struct QuantityTypeRow: Sendable {
  let identifier: HKQuantityTypeIdentifier

  /// The unit of the type in HealthKit, as a unit string.
  let unit: String

  /// The aggregation style of the type's samples.
  let style: HKQuantityAggregationStyle

  init(
    _ identifier: HKQuantityTypeIdentifier, _ unit: String, _ style: HKQuantityAggregationStyle
  ) {
    self.identifier = identifier
    self.unit = unit
    self.style = style
  }

  static var all: [QuantityTypeRow] {
    [bodyMeasures, fitness, hearing, heart, mobility, nutrition, other, respiratory, vital]
      .flatMap { $0 }
  }
}
