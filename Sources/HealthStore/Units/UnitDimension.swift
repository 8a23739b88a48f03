/// What a unit measures: a power for each base dimension.
///
/// Compound units that HealthKit names, such as joules, are expressed in the base dimensions, so
/// `J/s` is compatible with `W`. Units on a scale of their own have a dimension of their own.
package struct UnitDimension: Hashable, Sendable {
  var powers: SIMD16<Int32> = .zero

  package static let none = UnitDimension()
  static let mass = UnitDimension(0)
  static let length = UnitDimension(1)
  static let time = UnitDimension(2)
  static let temperature = UnitDimension(3)
  static let current = UnitDimension(4)
  static let luminousFlux = UnitDimension(5)
  static let angle = UnitDimension(6)
  static let internationalUnits = UnitDimension(7)
  static let hearingLevel = UnitDimension(8)
  static let refraction = UnitDimension(9)
  static let prismRefraction = UnitDimension(10)
  static let effort = UnitDimension(11)
  /// Sound pressure levels inside a compound unit, where the logarithm cannot be undone.
  static let soundLevel = UnitDimension(12)
  /// Moles of a substance whose molar mass is not given, which therefore have no mass.
  static let amount = UnitDimension(13)

  static let volume = length.raised(to: 3)
  static let frequency = time.raised(to: -1)
  static let pressure = mass - length - time.raised(to: 2)
  static let energy = mass + length.raised(to: 2) - time.raised(to: 2)
  static let power = energy - time
  static let voltage = power - current
  static let conductance = current - voltage
  static let illuminance = luminousFlux - length.raised(to: 2)

  private init(_ axis: Int) {
    powers[axis] = 1
  }

  init() {}

  func raised(to power: Int32) -> UnitDimension {
    var raised = self
    raised.powers = powers &* SIMD16(repeating: power)
    return raised
  }

  static func + (left: UnitDimension, right: UnitDimension) -> UnitDimension {
    var sum = left
    sum.powers = left.powers &+ right.powers
    return sum
  }

  static func - (left: UnitDimension, right: UnitDimension) -> UnitDimension {
    left + right.raised(to: -1)
  }
}
