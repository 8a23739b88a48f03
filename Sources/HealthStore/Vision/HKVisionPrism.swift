public import Foundation

/// A prism that a lens has to move what an eye sees.
///
/// Made of an amount and an angle it is the same as made of a vertical and a horizontal part. The
/// angle is seen by whoever looks at the person: it rises counterclockwise from the right, so that
/// 90 degrees are up, and 0 degrees are towards the nose of the right eye and away from that of the
/// left one.
open class HKVisionPrism: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// How far it moves what is seen, in prism dioptres.
  public let amount: HKQuantity

  /// The direction of its base, in degrees from 0 to 360 unless it was made of another.
  public let angle: HKQuantity

  /// How far it moves what is seen vertically.
  public let verticalAmount: HKQuantity

  /// Whether its base is up or down.
  public let verticalBase: HKPrismBase

  /// How far it moves what is seen horizontally.
  public let horizontalAmount: HKQuantity

  /// Whether its base is towards the nose or away from it.
  public let horizontalBase: HKPrismBase

  /// The eye that it is for.
  public let eye: HKVisionEye

  /// Whether it was made of an amount and an angle.
  let isPolar: Bool

  /// Makes a prism of an amount and an angle.
  ///
  /// - Precondition: The amount is in prism dioptres and the angle one, both finite.
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

  /// Makes a prism of its vertical and its horizontal part.
  ///
  /// - Precondition: Both amounts are in prism dioptres and finite, the vertical base is up, down
  ///   or none, and the horizontal one in, out or none.
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

  /// Zero where only the rounding of an angle makes it something else.
  private static func snapped(_ part: Double, _ size: Double) -> Double {
    abs(part) < abs(size) * 1e-12 ? 0 : part
  }

  /// Reads a prism from an archive; nil when it holds none.
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

  /// Archives what the prism was made of.
  open func encode(with coder: NSCoder) {
    coder.encode(Data(LensCoding.encode { $0.prism(self) }) as NSData, forKey: "prism")
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are of the same amount, angle and eye.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKVisionPrism else { return false }
    return amount == other.amount && angle == other.angle && eye == other.eye
      && verticalBase == other.verticalBase && horizontalBase == other.horizontalBase
  }

  /// A hash of the amount.
  open override var hash: Int { amount.hash }
}

extension HKQuantity {
  /// Traps when the quantity is infinite, no number or in a unit of something else.
  func trapUnless(in unit: HKUnit, _ name: String) {
    do {
      try check(in: unit, name)
    } catch {
      fatalError("\(error.localizedDescription)")
    }
  }
}
