extension HKActivitySummary {
  /// The quantities by name and the unit that each is compatible with; nil where none was set.
  package var fields: [(name: String, quantity: HKQuantity?, unit: HKUnit)] {
    let known = day.map { self.values(of: $0) }
    return ActivitySummaryValues.Field.allCases.map { field in
      (name: field.rawValue, quantity: known?[field], unit: field.unit)
    }
  }

  /// Makes a summary of quantities by name; nil for an unknown name or a quantity whose unit
  /// measures something else.
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
