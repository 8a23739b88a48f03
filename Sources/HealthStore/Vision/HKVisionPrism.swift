public import Foundation

/// A prism of a lens, which shifts the image that the eye sees.
///
/// A prism can be specified by an amount and an angle, or equivalently by a vertical and a
/// horizontal component. The angle is measured by an observer who faces the subject: it increases
/// counterclockwise from the right, so 90 degrees are up. 0 degrees are towards the nose for the
/// right eye, and away from the nose for the left eye.
open class HKVisionPrism: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The total shift of the image, in prism dioptres.
  public let amount: HKQuantity

  /// The direction of the base, in degrees.
  ///
  /// From 0 to 360 unless the prism was created with another angle.
  public let angle: HKQuantity

  /// The vertical shift of the image.
  public let verticalAmount: HKQuantity

  /// Whether the base is up or down.
  public let verticalBase: HKPrismBase

  /// The horizontal shift of the image.
  public let horizontalAmount: HKQuantity

  /// Whether the base is towards or away from the nose.
  public let horizontalBase: HKPrismBase

  /// The eye that the prism is for.
  public let eye: HKVisionEye

  /// Whether the prism was created from an amount and an angle.
  let isPolar: Bool

  /// Creates a prism from an amount and an angle.
  ///
  /// - Precondition: The amount is in prism dioptres, the angle is an angle, and both are finite.
  public init(amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
    amount.trapUnless(in: .prismDiopter(), "The amount of a prism")
    angle.trapUnless(in: .degreeAngle(), "The angle of a prism")
    self.amount = amount
    self.angle = angle
    self.eye = eye
    isPolar = true
    let size = amount.doubleValue(for: .prismDiopter())
    let radians = angle.doubleValue(for: .radianAngle())
    let (right, up) = (
      Self.snapped(size * cos(radians), size), Self.snapped(size * sin(radians), size)
    )
    verticalAmount = HKQuantity(unit: .prismDiopter(), doubleValue: abs(up))
    verticalBase = up == 0 ? .none : up > 0 ? .up : .down
    horizontalAmount = HKQuantity(unit: .prismDiopter(), doubleValue: abs(right))
    horizontalBase = right == 0 ? .none : (right > 0) == (eye == .right) ? .in : .out
    super.init()
  }

  /// Creates a prism from its vertical and horizontal components.
  ///
  /// - Precondition: Both amounts are in prism dioptres and finite. The vertical base is up, down
  ///   or none; the horizontal base is in, out or none.
  public init(
    verticalAmount: HKQuantity, verticalBase: HKPrismBase, horizontalAmount: HKQuantity,
    horizontalBase: HKPrismBase, eye: HKVisionEye
  ) {
    verticalAmount.trapUnless(in: .prismDiopter(), "The amount of a prism")
    horizontalAmount.trapUnless(in: .prismDiopter(), "The amount of a prism")
    trapUnless(
      Self.isVertical(verticalBase), "The vertical base of a prism must be up, down or none.")
    trapUnless(
      Self.isHorizontal(horizontalBase), "The horizontal base of a prism must be in, out or none.")
    self.verticalAmount = verticalAmount
    self.verticalBase = verticalBase
    self.horizontalAmount = horizontalAmount
    self.horizontalBase = horizontalBase
    self.eye = eye
    isPolar = false
    let vertical = verticalAmount.doubleValue(for: .prismDiopter())
    let horizontal = horizontalAmount.doubleValue(for: .prismDiopter())
    let up = verticalBase == .none ? 0 : verticalBase == .up ? vertical : -vertical
    let isRight = (horizontalBase == .in) == (eye == .right)
    let right = horizontalBase == .none ? 0 : isRight ? horizontal : -horizontal
    let degrees = atan2(up, right) * 180 / .pi
    amount = HKQuantity(
      unit: .prismDiopter(), doubleValue: (up * up + right * right).squareRoot())
    angle = HKQuantity(unit: .degreeAngle(), doubleValue: degrees < 0 ? degrees + 360 : degrees)
    super.init()
  }

  static func isVertical(_ base: HKPrismBase) -> Bool { [.up, .down, .none].contains(base) }

  static func isHorizontal(_ base: HKPrismBase) -> Bool { [.in, .out, .none].contains(base) }

  /// Returns zero for a component that differs from zero only because of rounding.
  private static func snapped(_ part: Double, _ size: Double) -> Double {
    abs(part) < abs(size) * 1e-12 ? 0 : part
  }

  /// Decodes an archived prism; returns nil if the archive holds none.
  public required convenience init?(coder: NSCoder) {
    guard let data = coder.decodeObject(NSData.self, "prism"),
      let prism = LensCoding.decode([UInt8](Data(referencing: data)), LensCoding.prism)
    else { return nil }
    self.init(copying: prism)
  }

  private init(copying prism: HKVisionPrism) {
    amount = prism.amount
    angle = prism.angle
    verticalAmount = prism.verticalAmount
    verticalBase = prism.verticalBase
    horizontalAmount = prism.horizontalAmount
    horizontalBase = prism.horizontalBase
    eye = prism.eye
    isPolar = prism.isPolar
    super.init()
  }

  /// Encodes the values that the prism was created from.
  open func encode(with coder: NSCoder) {
    coder.encode(Data(LensCoding.encode { $0.prism(self) }) as NSData, forKey: "prism")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same amount, angle, bases and eye.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKVisionPrism else { return false }
    return amount == other.amount && angle == other.angle && eye == other.eye
      && verticalBase == other.verticalBase && horizontalBase == other.horizontalBase
  }

  /// A hash of the amount.
  open override var hash: Int { amount.hash }
}

extension HKQuantity {
  /// Traps if the quantity is infinite, NaN or incompatible with a unit.
  func trapUnless(in unit: HKUnit, _ name: String) {
    do {
      try check(in: unit, name)
    } catch {
      fatalError("\(error.localizedDescription)")
    }
  }
}
