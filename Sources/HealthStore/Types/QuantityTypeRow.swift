/// What is known of one quantity type.
struct QuantityTypeRow: Sendable {
  /// The type's identifier.
  let identifier: HKQuantityTypeIdentifier

  /// The unit HealthKit names for the type, as a unit string.
  let unit: String

  /// How the type's samples combine.
  let style: HKQuantityAggregationStyle

  init(
    _ identifier: HKQuantityTypeIdentifier, _ unit: String, _ style: HKQuantityAggregationStyle
  ) {
    self.identifier = identifier
    self.unit = unit
    self.style = style
  }

  /// Every quantity type there is.
  static var all: [QuantityTypeRow] {
    [bodyMeasures, fitness, hearing, heart, mobility, nutrition, other, respiratory, vital]
      .flatMap { $0 }
  }
}
