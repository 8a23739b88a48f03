import Foundation
import Testing

@testable import HealthStore

@Suite struct UnitsTableTests {
  static func convert(_ value: Double, _ from: String, _ to: String) throws -> Double {
    HKQuantity(unit: try HKUnit.parse(from), doubleValue: value)
      .doubleValue(for: try HKUnit.parse(to))
  }

  @Test(
    arguments: [
      ("oz", 28.349523125, "g"), ("lb", 453.59237, "g"), ("st", 6350.29318, "g"),
      ("kg", 1000, "g"),
      ("in", 0.0254, "m"), ("ft", 0.3048, "m"), ("yd", 0.9144, "m"), ("mi", 1609.344, "m"),
      ("mmHg", 133.322387415, "Pa"), ("cmAq", 98.0665, "Pa"), ("atm", 101325, "Pa"),
      ("inHg", 3386.38816, "Pa"),
      ("fl_oz_us", 0.0295735295625, "L"), ("fl_oz_imp", 0.0284130625, "L"),
      ("pt_us", 0.473176473, "L"), ("pt_imp", 0.56826125, "L"), ("cup_us", 0.2365882365, "L"),
      ("cup_imp", 0.284130625, "L"),
      ("min", 60, "s"), ("hr", 3600, "s"), ("d", 86400, "s"),
      ("cal", 4.184, "J"), ("kcal", 4184, "J"), ("Cal", 4184, "J"), ("%", 1, "count"),
      ("mol<180.15588000005408>", 180.1558800000541, "g"), ("deg", Double.pi / 180, "rad"),
    ] as [(String, Double, String)])
  func `one unit is exactly Apple's factor of another`(
    unit: String, factor: Double, base: String
  ) throws {
    #expect(try Self.convert(1, unit, base) == factor)
    #expect(try Self.convert(factor, base, unit) == 1)
  }

  @Test(arguments: [
    ("", 0), ("da", 1), ("h", 2), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("d", -1), ("c", -2),
    ("m", -3), ("mc", -6), ("n", -9), ("p", -12), ("f", -15),
  ])
  func `a prefix is its power of ten before every unit that takes prefixes`(
    prefix: String, power: Int
  ) throws {
    for unit in ["g", "m", "L", "Pa", "s", "J", "K", "S", "Hz", "mol<60>", "V", "W", "rad", "lx"] {
      let there = try Self.convert(1, prefix + unit, unit)
      let back = try Self.convert(1, unit, prefix + unit)
      #expect(there == (power < 0 ? 1 / pow(10, Double(-power)) : pow(10, Double(power))))
      #expect(back == (power > 0 ? 1 / pow(10, Double(power)) : pow(10, Double(-power))))
    }
  }

  @Test(arguments: [
    (37.0, "degC", "degF", 98.6), (98.6, "degF", "degC", 37), (0, "degC", "K", 273.15),
    (0, "K", "degF", -459.67), (-40, "degF", "degC", -40), (273.15, "K", "degC", 0),
    (100, "degC", "degF", 212), (273150, "mK", "degC", 0),
  ])
  func `a temperature counts from the zero of its scale`(
    value: Double, from: String, to: String, expected: Double
  ) throws {
    #expect(abs(try Self.convert(value, from, to) - expected) < 1e-12 * max(1, abs(value)))
  }

  @Test func `a compound temperature has no zero`() throws {
    #expect(try Self.convert(1, "degC/min", "K/min") == 1)
    #expect(try Self.convert(9, "degF/s", "degC/s") == 5)
    #expect(try Self.convert(5, "degC^2", "K^2") == 5)
  }

  @Test func `Fahrenheit is nine fifths of Celsius to the last digit, in compounds too`() throws {
    #expect(try Self.convert(1.1, "degC·m", "degF·m") == 1.98)
    #expect(try Self.convert(1.98, "degF·m", "degC·m") == 1.1)
    #expect(try Self.convert(37, "degC", "degF") == 98.6)
    #expect(try Self.convert(98.6, "degF", "degC") == 37)
  }

  @Test func `moles of an unknown mass convert only to one another`() throws {
    #expect(try Self.convert(3, "mmol/L", "mol/L") == 0.003)
    #expect(try HKUnit.parse("mol").conversion(to: .moleUnit(withMolarMass: 60)) == nil)
    #expect(try HKUnit.parse("mol").conversion(to: .gram()) == nil)
  }

  @Test func `a sound pressure level is logarithmic`() throws {
    #expect(try Self.convert(0, "dBASPL", "Pa") == 2e-5)
    #expect(abs(try Self.convert(94, "dBASPL", "Pa") - 1.0023744672545447) < 1e-12)
    #expect(abs(try Self.convert(1, "Pa", "dBASPL") - 93.97940008672037) < 1e-10)
    #expect(abs(try Self.convert(2, "mPa", "dBASPL") - 40) < 1e-10)
    #expect(try HKUnit.parse("dBASPL/s").conversion(to: HKUnit.parse("Pa/s")) == nil)
  }

  @Test(
    arguments: [
      ("mmol<180.1558800000541>/L", "mg/dL", 18.01558800000541), ("count/min", "Hz", 1.0 / 60),
      ("km/hr", "m/s", 1 / 3.6), ("kcal/hr·kg", "W/kg", 4184.0 / 3600),
      ("mi/hr", "km/hr", 1.609344), ("mL/min·kg", "L/min·kg", 0.001), ("W", "J/s", 1),
      ("kg.m^-1.s^-2", "Pa", 1), ("S", "W/V^2", 1),
    ] as [(String, String, Double)])
  func `compound units convert by all their factors`(
    from: String, to: String, factor: Double
  ) throws {
    let value = try Self.convert(1, from, to)
    #expect(abs(value / factor - 1) < 1e-14)
  }

  @Test func `symbols on scales of their own are incompatible with all others`() throws {
    let symbols = [
      "count", "IU", "dBHL", "D", "pD", "appleEffortScore", "rad", "lx", "g", "m", "s", "mol",
    ]
    for a in symbols {
      for b in symbols {
        let compatible = try HKUnit.parse(a).conversion(to: HKUnit.parse(b)) != nil
        #expect(compatible == (a == b), "\(a) to \(b)")
      }
    }
  }

  @Test func `every factory makes the unit of its string`() {
    let units: [(HKUnit, String)] = [
      (.gram(), "g"), (.gramUnit(with: .kilo), "kg"), (.ounce(), "oz"), (.pound(), "lb"),
      (.stone(), "st"), (.moleUnit(withMolarMass: 60), "mol<60>"),
      (
        .moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose),
        "mmol<180.1558800000541>"
      ),
      (.meter(), "m"), (.meterUnit(with: .centi), "cm"), (.inch(), "in"), (.foot(), "ft"),
      (.yard(), "yd"), (.mile(), "mi"), (.liter(), "L"), (.literUnit(with: .deci), "dL"),
      (.fluidOunceUS(), "fl_oz_us"), (.fluidOunceImperial(), "fl_oz_imp"), (.pintUS(), "pt_us"),
      (.pintImperial(), "pt_imp"), (.cupUS(), "cup_us"), (.cupImperial(), "cup_imp"),
      (.pascal(), "Pa"), (.pascalUnit(with: .hecto), "hPa"), (.millimeterOfMercury(), "mmHg"),
      (.inchesOfMercury(), "inHg"), (.centimeterOfWater(), "cmAq"), (.atmosphere(), "atm"),
      (.decibelAWeightedSoundPressureLevel(), "dBASPL"), (.decibelHearingLevel(), "dBHL"),
      (.second(), "s"), (.secondUnit(with: .milli), "ms"), (.minute(), "min"), (.hour(), "hr"),
      (.day(), "d"), (.hertz(), "Hz"), (.hertzUnit(with: .kilo), "kHz"), (.joule(), "J"),
      (.jouleUnit(with: .kilo), "kJ"), (.kilocalorie(), "kcal"), (.smallCalorie(), "cal"),
      (.calorie(), "cal"), (.largeCalorie(), "Cal"), (.watt(), "W"), (.wattUnit(with: .mega), "MW"),
      (.volt(), "V"), (.voltUnit(with: .micro), "mcV"), (.siemen(), "S"),
      (.siemenUnit(with: .micro), "mcS"), (.degreeCelsius(), "degC"), (.degreeFahrenheit(), "degF"),
      (.kelvin(), "K"), (.internationalUnit(), "IU"), (.count(), "count"), (.percent(), "%"),
      (.appleEffortScore(), "appleEffortScore"), (.diopter(), "D"), (.prismDiopter(), "pD"),
      (.radianAngle(), "rad"), (.radianAngleUnit(with: .milli), "mrad"), (.degreeAngle(), "deg"),
      (.lux(), "lx"), (.luxUnit(with: .kilo), "klx"), (.gramUnit(with: .none), "g"),
      (.gramUnit(with: .femto), "fg"), (.meterUnit(with: .deca), "dam"),
    ]
    for (unit, string) in units {
      #expect(unit.unitString == string)
      #expect(unit == HKUnit(from: string))
    }
  }

  @Test func `no two symbols share a spelling`() {
    let prefixed = UnitSymbol.prefixable.count * HKMetricPrefix.every.count
    let litres = HKMetricPrefix.every.count
    #expect(UnitSymbol.bySpelling.count == UnitSymbol.fixed.count + prefixed + litres)
  }

  @Test func `formatter units convert to units and back`() {
    let masses: [MassFormatter.Unit] = [.gram, .kilogram, .ounce, .pound, .stone]
    for unit in masses { #expect(HKUnit.massFormatterUnit(from: HKUnit(from: unit)) == unit) }
    let lengths: [LengthFormatter.Unit] = [
      .millimeter, .centimeter, .meter, .kilometer, .inch, .foot, .yard, .mile,
    ]
    for unit in lengths { #expect(HKUnit.lengthFormatterUnit(from: HKUnit(from: unit)) == unit) }
    let energies: [EnergyFormatter.Unit] = [.joule, .kilojoule, .calorie, .kilocalorie]
    for unit in energies { #expect(HKUnit.energyFormatterUnit(from: HKUnit(from: unit)) == unit) }
    #expect(HKUnit(from: EnergyFormatter.Unit.kilocalorie) == .kilocalorie())
    #expect(HKUnit.energyFormatterUnit(from: .largeCalorie()) == .kilocalorie)
  }

  @Test func `a unit unknown to formatters traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKUnit.massFormatterUnit(from: .meter())
    }
  }
}
