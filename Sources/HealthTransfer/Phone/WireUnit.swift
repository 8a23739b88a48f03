import HealthKit

/// In which units quantities travel: HealthKit does not say in which one a quantity was saved.
enum WireUnit {
  /// One for each kind of quantity, the commonest first.
  private static let kinds = [
    "count", "count/min", "kcal", "m", "s", "g", "m/s", "mmHg", "degC", "mg/dL", "dBASPL", "L",
    "ml/kg*min", "kcal/hr*kg", "W", "L/min", "dBHL", "S", "IU", "V", "Hz", "deg", "D", "pD", "K",
    "lx", "J/s", "mol<180.1558800000541>/L", "g/mL", "m/s^2", "appleEffortScore",
  ].compactMap(unit)

  /// Where people use another one.
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

  /// The unit of a type's quantities; nil for one of no kind that is known.
  static func unit(of type: HKQuantityType) -> HKUnit? {
    own[type.identifier] ?? kinds.first { type.is(compatibleWith: $0) }
  }

  /// The unit of a quantity of which no type is known.
  static func unit(of quantity: HKQuantity) -> HKUnit? {
    kinds.first { quantity.is(compatibleWith: $0) }
  }
}

extension WireWriter {
  /// The value's bits and its unit's string.
  mutating func quantity(_ quantity: HKQuantity, in unit: HKUnit) {
    fixed(quantity.doubleValue(for: unit))
    text(unit.unitString)
  }

  /// The same or its absence.
  mutating func optional(_ quantity: HKQuantity?, in unit: HKUnit) {
    optional(quantity) { $0.quantity($1, in: unit) }
  }
}
