// Access to the quantities of a summary by name, for exports and imports.
extension HKActivitySummary {
  /// The quantities by name, with the unit that each must be compatible with.
  ///
  /// A quantity is nil if it is not set, or if it is a sum that is not finite, which no format can
  /// read back.
  package var fields: [(name: String, quantity: HKQuantity?, unit: HKUnit)] {
    let known = day.map { self.values(of: $0) }
    return ActivitySummaryValues.Field.allCases.map { field in
      let quantity = known?[field].flatMap { $0.value.isFinite ? $0 : nil }
      return (name: field.rawValue, quantity: quantity, unit: field.unit)
    }
  }

  /// Creates a summary from quantities by name.
  ///
  /// Returns nil for an unknown name or an incompatible unit.
  package convenience init?(
    fields: [String: HKQuantity], moveMode: HKActivityMoveMode, isPaused: Bool
  ) {
    var values = ActivitySummaryValues()
    values.moveMode = moveMode
    values.isPaused = isPaused
    for (name, quantity) in fields {
      guard let field = ActivitySummaryValues.Field(rawValue: name),
        quantity.is(compatibleWith: field.unit)
      else { return nil }
      values[field] = quantity
    }
    self.init(values)
  }
}
