import Foundation

/// A conversion of numbers between two units, without allocation.
///
/// All conversions are strictly increasing, so bounds on values are preserved.
package struct UnitConversion: Sendable {
  private enum Logarithm: Sendable {
    case none
    /// From decibels above 20 micropascal.
    case undo
    /// To decibels above 20 micropascal.
    case take
  }

  private var before = 0.0
  private var multiplier = 1.0
  private var divisor = 1.0
  private var after = 0.0
  private var logarithm = Logarithm.none

  /// Whether the conversion returns every number unchanged.
  package private(set) var isIdentity = false

  /// Whether conversion commutes with sums, as for all units except those with an offset zero and
  /// logarithmic units.
  package var isProportional: Bool { before == 0 && after == 0 && logarithm == .none }

  /// Whether conversion commutes with means, as for all units except logarithmic levels.
  var isAffine: Bool { logarithm == .none }

  package static let identity: UnitConversion = {
    var identity = UnitConversion()
    identity.isIdentity = true
    return identity
  }()

  /// Returns the number in the other unit.
  package func callAsFunction(_ value: Double) -> Double {
    if isIdentity { return value }
    switch logarithm {
    case .none: return (value + before) * multiplier / divisor + after
    case .undo: return pow(10, value / 20) * 2e-5 * multiplier / divisor
    case .take: return 20 * log10(value * multiplier / divisor / 2e-5)
    }
  }

  private init() {}

  /// Creates a conversion between forms, or returns nil if their dimensions differ.
  init?(from: UnitForm, to: UnitForm) {
    if from.isSame(as: to) {
      self = .identity
      return
    }
    guard from.dimension == to.dimension else { return nil }
    (multiplier, divisor) = Self.ratio(
      from.factor * to.divisor, from.divisor * to.factor, exponent: from.exponent - to.exponent)
    switch (from.scale, to.scale) {
    case (.soundPressureLevel, _): logarithm = .undo
    case (_, .soundPressureLevel): logarithm = .take
    // Converting these two by way of kelvin would lose precision.
    case (.celsius, .fahrenheit): after = 32
    case (.fahrenheit, .celsius): before = -32
    default: (before, after) = (from.scale.zero, -to.scale.zero)
    }
  }

  /// Creates a conversion to the base units of the form's dimension.
  package init(toBaseUnitsOf form: UnitForm) {
    (multiplier, divisor) = Self.ratio(form.factor, form.divisor, exponent: form.exponent)
    before = form.scale.zero
    if form.scale == .soundPressureLevel { logarithm = .undo }
  }

  /// Returns the value in the base units of the form's dimension.
  static func baseValue(of value: Double, in form: UnitForm) -> Double {
    UnitConversion(toBaseUnitsOf: form)(value)
  }

  /// Returns the ratio of two units as a multiplier and a divisor, which are exact where possible.
  private static func ratio(
    _ from: Double, _ to: Double, exponent: Int
  ) -> (multiplier: Double, divisor: Double) {
    var (multiplier, divisor) = (from, to)
    let (down, up) = (from / to, to / from)
    if down == down.rounded(), down * to == from {
      (multiplier, divisor) = (down, 1)
    } else if up == up.rounded(), up * from == to {
      (multiplier, divisor) = (1, up)
    }
    if exponent > 0 { multiplier *= pow(10, Double(exponent)) }
    if exponent < 0 { divisor *= pow(10, Double(-exponent)) }
    return (multiplier, divisor)
  }
}

extension UnitSymbol.Scale {
  /// The offset from absolute zero, in degrees of the scale.
  fileprivate var zero: Double {
    switch self {
    case .celsius: 273.15
    case .fahrenheit: 459.67
    case .linear, .soundPressureLevel: 0
    }
  }
}

extension HKUnit {
  /// Returns the conversion of numbers to another unit, or nil if it is incompatible.
  package func conversion(to other: HKUnit) -> UnitConversion? {
    UnitConversion(from: form, to: other.form)
  }
}
