extension HKQuantity {
  /// Returns the number in a unit, or nil if the unit is incompatible.
  func converted(to unit: HKUnit) -> Double? {
    self.unit.conversion(to: unit)?(value)
  }
}
