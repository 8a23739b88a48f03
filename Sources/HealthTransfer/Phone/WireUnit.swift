import HealthKit

/// The units in which quantities are sent, because HealthKit does not expose the unit of a saved
/// quantity.
enum WireUnit {
  /// One unit for each dimension, the most common first.
  private static let kinds = [
    "count", "count/min", "kcal", "m", "s", "g", "m/s", "mmHg", "degC", "mg/dL", "dBASPL", "L",
    "ml/kg*min", "kcal/hr*kg", "W", "L/min", "dBHL", "S", "IU", "V", "Hz", "deg", "D", "pD", "K",
    "lx", "J/s", "mol<180.1558800000541>/L", "g/mL", "m/s^2", "appleEffortScore",
  ].compactMap(unit)

  /// The units of types for which another unit is customary.
  private static let own: [String: HKUnit] = {
    var units: [String: HKUnit] = [:]
    let percent: [HKQuantityTypeIdentifier] = [
      .appleWalkingSteadiness, .atrialFibrillationBurden, .bloodAlcoholContent, .bodyFatPercentage,
      .oxygenSaturation, .peripheralPerfusionIndex, .walkingAsymmetryPercentage,
      .walkingDoubleSupportPercentage,
    ]
    for identifier in percent { units[identifier.rawValue] = .percent() }
    let masses: [HKQuantityTypeIdentifier] = [.bodyMass, .leanBodyMass]
    for identifier in masses { units[identifier.rawValue] = .gramUnit(with: .kilo) }
    return units
  }()

  private static func unit(_ text: String) -> HKUnit? { HKUnit(from: text) }

  /// Returns the unit for a type's quantities, or nil if their dimension is unknown.
  static func unit(of type: HKQuantityType) -> HKUnit? {
    own[type.identifier] ?? kinds.first { type.is(compatibleWith: $0) }
  }

  /// Returns the unit for a quantity whose type is unknown, or nil if its dimension is unknown.
  static func unit(of quantity: HKQuantity) -> HKUnit? {
    kinds.first { quantity.is(compatibleWith: $0) }
  }
}

extension WireWriter {
  /// Appends the bits of the value and the string of the unit.
  mutating func quantity(_ quantity: HKQuantity, in unit: HKUnit) {
    fixed(quantity.doubleValue(for: unit))
    text(unit.unitString)
  }

  mutating func optional(_ quantity: HKQuantity?, in unit: HKUnit) {
    optional(quantity) { $0.quantity($1, in: unit) }
  }
}
