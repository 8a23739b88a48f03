public import Foundation

/// A number with a unit.
///
/// Quantities are immutable and safe to share between threads. Two quantities are equal if they
/// represent the same amount: `1 kg` equals `1000 g`.
///
/// ```swift
/// let distance = HKQuantity(unit: .meter(), doubleValue: 1500)
/// let kilometers = distance.doubleValue(for: .meterUnit(with: .kilo))  // 1.5
/// let mile = HKQuantity(unit: .mile(), doubleValue: 1)
/// let isShorter = distance.compare(mile) == .orderedAscending  // true
/// ```
open class HKQuantity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The unit that the quantity was created with.
  package let unit: HKUnit

  /// The number in ``unit``.
  package let value: Double

  /// Creates a quantity from a number and a unit.
  public init(unit: HKUnit, doubleValue value: Double) {
    self.unit = unit
    self.value = value
    super.init()
  }

  /// Decodes an archived quantity; returns nil if the archive has no unit string.
  public required init?(coder: NSCoder) {
    guard
      coder.containsValue(forKey: "unit"),
      let string = coder.decodeObject(of: NSString.self, forKey: "unit"),
      let unit = HKUnit.named(String(describing: string)), coder.containsValue(forKey: "value")
    else { return nil }
    self.unit = unit
    self.value = coder.decodeDouble(forKey: "value")
    super.init()
  }

  /// Encodes the number and the unit string.
  open func encode(with coder: NSCoder) {
    coder.encode(unit.unitString as NSString, forKey: "unit")
    coder.encode(value, forKey: "value")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether the quantity can be converted to a unit.
  open func `is`(compatibleWith unit: HKUnit) -> Bool {
    self.unit.form.isCompatible(with: unit.form)
  }

  /// Returns the number in a unit.
  ///
  /// For the quantity's own unit, this is exactly the number it was created with.
  ///
  /// - Precondition: The unit is compatible. If it may not be, use ``value(in:)``.
  open func doubleValue(for unit: HKUnit) -> Double {
    if unit.form === self.unit.form { return value }
    guard let conversion = self.unit.conversion(to: unit) else {
      fatalError(
        "\(HKUnitError.incompatible(from: self.unit.unitString, to: unit.unitString))")
    }
    return conversion(value)
  }

  /// Returns the number in a unit, or throws if the unit is incompatible.
  ///
  /// - Throws: ``HKUnitError/incompatible(from:to:)`` if the dimensions differ.
  public func value(in unit: HKUnit) throws(HKUnitError) -> Double {
    if unit.form === self.unit.form { return value }
    guard let conversion = self.unit.conversion(to: unit) else {
      throw .incompatible(from: self.unit.unitString, to: unit.unitString)
    }
    return conversion(value)
  }

  /// Returns the order of the quantity relative to another.
  ///
  /// - Precondition: The units are compatible. If they may not be, check ``is(compatibleWith:)``
  ///   first.
  open func compare(_ quantity: HKQuantity) -> ComparisonResult {
    let other = quantity.doubleValue(for: unit)
    if value < other { return .orderedAscending }
    return value > other ? .orderedDescending : .orderedSame
  }

  /// Returns whether the other object is a quantity of the same amount, in any unit.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKQuantity else { return false }
    if self === other { return true }
    if unit.form.isSame(as: other.unit.form) { return value == other.value }
    return unit.form.isCompatible(with: other.unit.form) && baseValue == other.baseValue
  }

  /// A hash that is the same for equal amounts.
  open override var hash: Int { baseValue.hashValue }

  /// The number and the unit, such as `72 count/min`.
  open override var description: String {
    let whole = Int64(exactly: value).map { "\($0)" }
    return "\(whole ?? "\(value)") \(unit.unitString)"
  }

  private var baseValue: Double { UnitConversion.baseValue(of: value, in: unit.form) }
}
