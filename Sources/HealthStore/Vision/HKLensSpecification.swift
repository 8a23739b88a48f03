public import Foundation

/// The specification of a lens for one eye.
///
/// Abstract; use ``HKGlassesLensSpecification`` or ``HKContactsLensSpecification``.
open class HKLensSpecification: NSObject, @unchecked Sendable {
  /// The power that corrects near- or farsightedness, in dioptres.
  public let sphere: HKQuantity

  /// The power that corrects astigmatism, in dioptres.
  public let cylinder: HKQuantity?

  /// The direction of the cylinder, an angle.
  public let axis: HKQuantity?

  /// The additional power for reading, in dioptres.
  public let addPower: HKQuantity?

  init(
    checkingSphere sphere: HKQuantity, _ cylinder: HKQuantity?, _ axis: HKQuantity?,
    _ addPower: HKQuantity?
  ) {
    sphere.trapUnless(in: .diopter(), "The sphere of a lens")
    cylinder?.trapUnless(in: .diopter(), "The cylinder of a lens")
    axis?.trapUnless(in: .degreeAngle(), "The axis of a lens")
    addPower?.trapUnless(in: .diopter(), "The addition of a lens")
    self.sphere = sphere
    self.cylinder = cylinder
    self.axis = axis
    self.addPower = addPower
    super.init()
  }

  /// Returns whether both have the same class and the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKLensSpecification, type(of: other) == type(of: self) else {
      return false
    }
    return sphere == other.sphere && cylinder == other.cylinder && axis == other.axis
      && addPower == other.addPower
  }

  /// A hash of the sphere.
  open override var hash: Int { sphere.hash }
}
