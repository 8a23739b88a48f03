public import Foundation

/// A number with a unit.
///
/// Quantities are immutable and safe to share. Two are equal when they mean the same amount:
/// `1 kg` equals `1000 g`.
///
/// ```swift
/// let distance = HKQuantity(unit: .meter(), doubleValue: 1500)
/// let kilometers = distance.doubleValue(for: .meterUnit(with: .kilo))  // 1.5
/// let mile = HKQuantity(unit: .mile(), doubleValue: 1)
/// let isShorter = distance.compare(mile) == .orderedAscending  // true
/// ```
open class HKQuantity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The unit the quantity was made with.
  package let unit: HKUnit

  /// The number in ``unit``.
  package let value: Double

  /// Makes a quantity of so many units.
  public init(unit: HKUnit, doubleValue value: Double) {
    self.unit = unit
    self.value = value
    super.init()
  }

  /// Reads a quantity from an archive; nil when it holds no unit string.
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

  /// Writes the number and the unit string to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(unit.unitString as NSString, forKey: "unit")
    coder.encode(value, forKey: "value")
  }

  /// Whether the class archives safely, which it does.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the quantity itself, because quantities are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether the quantity can be expressed in that unit.
  open func `is`(compatibleWith unit: HKUnit) -> Bool {
    self.unit.form.isCompatible(with: unit.form)
  }

  /// The number of that unit; the very number given at initialisation when the unit is the same.
  ///
  /// - Precondition: The unit is compatible. Where it may not be, use ``value(in:)``.
  open func doubleValue(for unit: HKUnit) -> Double {
    if unit.form === self.unit.form { return value }
    guard let conversion = self.unit.conversion(to: unit) else {
      fatalError(
        "\(HKUnitError.incompatible(from: self.unit.unitString, to: unit.unitString))")
    }
    return conversion(value)
  }

  /// The number of that unit, or why there is none.
  ///
  /// - Throws: ``HKUnitError/incompatible(from:to:)`` when the unit measures something else.
  public func value(in unit: HKUnit) throws(HKUnitError) -> Double {
    if unit.form === self.unit.form { return value }
    guard let conversion = self.unit.conversion(to: unit) else {
      throw .incompatible(from: self.unit.unitString, to: unit.unitString)
    }
    return conversion(value)
  }

  /// Whether the quantity is less than, the same as or more than another.
  ///
  /// - Precondition: The units are compatible. Ask ``is(compatibleWith:)`` first where they may
  ///   not be.
  open func compare(_ quantity: HKQuantity) -> ComparisonResult {
    let other = quantity.doubleValue(for: unit)
    if value < other { return .orderedAscending }
    return value > other ? .orderedDescending : .orderedSame
  }

  /// Whether the other object is a quantity of the same amount, in whatever unit.
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
