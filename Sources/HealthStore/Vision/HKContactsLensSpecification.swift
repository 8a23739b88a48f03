public import Foundation

/// The specification of a contact lens.
open class HKContactsLensSpecification: HKLensSpecification, NSSecureCoding, NSCopying,
  @unchecked Sendable
{
  /// The radius of the surface that rests on the eye, a length.
  public let baseCurve: HKQuantity?

  /// The diameter of the lens, a length.
  public let diameter: HKQuantity?

  /// Creates a specification.
  ///
  /// - Precondition: Powers are in dioptres, the axis is an angle, curve and diameter are lengths,
  ///   and all are finite.
  public init(
    sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
    baseCurve: HKQuantity?, diameter: HKQuantity?
  ) {
    baseCurve?.trapUnless(in: .meter(), "The base curve of a lens")
    diameter?.trapUnless(in: .meter(), "The diameter of a lens")
    self.baseCurve = baseCurve
    self.diameter = diameter
    super.init(checkingSphere: sphere, cylinder, axis, addPower)
  }

  /// Decodes an archived specification; returns nil if the archive holds none.
  public required convenience init?(coder: NSCoder) {
    guard let data = coder.decodeObject(NSData.self, "lens"),
      let lens = LensCoding.decode([UInt8](Data(referencing: data)), LensCoding.contacts)
    else { return nil }
    self.init(
      sphere: lens.sphere, cylinder: lens.cylinder, axis: lens.axis, addPower: lens.addPower,
      baseCurve: lens.baseCurve, diameter: lens.diameter)
  }

  /// Encodes all fields.
  open func encode(with coder: NSCoder) {
    coder.encode(Data(LensCoding.encode { $0.contacts(self) }) as NSData, forKey: "lens")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard super.isEqual(object), let other = object as? HKContactsLensSpecification else {
      return false
    }
    return baseCurve == other.baseCurve && diameter == other.diameter
  }
}
