/// The dimension of a unit: a power for each base dimension.
///
/// Derived units such as joules are expressed in base dimensions, so `J/s` is compatible with `W`.
/// Units with a separate scale have a separate dimension.
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
  /// Sound pressure levels in a compound unit, where the logarithm cannot be inverted.
  static let soundLevel = UnitDimension(12)
  /// Moles without a molar mass, which are not convertible to a mass.
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
