extension HKQuantity {
  /// The number of that unit, or `nil` when the unit measures something else.
  func converted(to unit: HKUnit) -> Double? {
    self.unit.conversion(to: unit)?(value)
  }
}
