public import Foundation

// Converts between units and those of Foundation's formatters.
extension HKUnit {
  /// Creates the unit that corresponds to a mass formatter's unit.
  public convenience init(from massFormatterUnit: MassFormatter.Unit) {
    switch massFormatterUnit {
    case .gram: self.init(form: HKUnit.gram().form)
    case .kilogram: self.init(form: HKUnit.gramUnit(with: .kilo).form)
    case .ounce: self.init(form: HKUnit.ounce().form)
    case .pound: self.init(form: HKUnit.pound().form)
    case .stone: self.init(form: HKUnit.stone().form)
    @unknown default: fatalError("\(massFormatterUnit) is no mass unit known here")
    }
  }

  /// Creates the unit that corresponds to a length formatter's unit.
  public convenience init(from lengthFormatterUnit: LengthFormatter.Unit) {
    switch lengthFormatterUnit {
    case .millimeter: self.init(form: HKUnit.meterUnit(with: .milli).form)
    case .centimeter: self.init(form: HKUnit.meterUnit(with: .centi).form)
    case .meter: self.init(form: HKUnit.meter().form)
    case .kilometer: self.init(form: HKUnit.meterUnit(with: .kilo).form)
    case .inch: self.init(form: HKUnit.inch().form)
    case .foot: self.init(form: HKUnit.foot().form)
    case .yard: self.init(form: HKUnit.yard().form)
    case .mile: self.init(form: HKUnit.mile().form)
    @unknown default: fatalError("\(lengthFormatterUnit) is no length unit known here")
    }
  }

  /// Creates the unit that corresponds to an energy formatter's unit.
  public convenience init(from energyFormatterUnit: EnergyFormatter.Unit) {
    switch energyFormatterUnit {
    case .joule: self.init(form: HKUnit.joule().form)
    case .kilojoule: self.init(form: HKUnit.jouleUnit(with: .kilo).form)
    case .calorie: self.init(form: HKUnit.smallCalorie().form)
    case .kilocalorie: self.init(form: HKUnit.kilocalorie().form)
    @unknown default: fatalError("\(energyFormatterUnit) is no energy unit known here")
    }
  }

  /// Returns the mass formatter's unit for a unit.
  ///
  /// - Precondition: The unit is the gram, kilogram, ounce, pound or stone.
  public static func massFormatterUnit(from unit: HKUnit) -> MassFormatter.Unit {
    switch unit.unitString {
    case "g": .gram
    case "kg": .kilogram
    case "oz": .ounce
    case "lb": .pound
    case "st": .stone
    default: fatalError("\(unit) has no counterpart in MassFormatter.Unit")
    }
  }

  /// Returns the length formatter's unit for a unit.
  ///
  /// - Precondition: The unit is the millimetre, centimetre, metre, kilometre, inch, foot, yard or
  ///   mile.
  public static func lengthFormatterUnit(from unit: HKUnit) -> LengthFormatter.Unit {
    switch unit.unitString {
    case "mm": .millimeter
    case "cm": .centimeter
    case "m": .meter
    case "km": .kilometer
    case "in": .inch
    case "ft": .foot
    case "yd": .yard
    case "mi": .mile
    default: fatalError("\(unit) has no counterpart in LengthFormatter.Unit")
    }
  }

  /// Returns the energy formatter's unit for a unit.
  ///
  /// - Precondition: The unit is the joule, kilojoule, small calorie, or kilocalorie in either
  ///   spelling.
  public static func energyFormatterUnit(from unit: HKUnit) -> EnergyFormatter.Unit {
    switch unit.unitString {
    case "J": .joule
    case "kJ": .kilojoule
    case "cal": .calorie
    case "kcal", "Cal": .kilocalorie
    default: fatalError("\(unit) has no counterpart in EnergyFormatter.Unit")
    }
  }
}
