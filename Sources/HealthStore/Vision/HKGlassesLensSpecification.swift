public import Foundation

/// The specification of a lens of glasses.
open class HKGlassesLensSpecification: HKLensSpecification, NSSecureCoding, NSCopying,
  @unchecked Sendable
{
  /// The distance between the lens and the eye, a length.
  public let vertexDistance: HKQuantity?

  /// The lens's prism.
  public let prism: HKVisionPrism?

  /// The distance from the middle of the nose to the pupil for far vision.
  public let farPupillaryDistance: HKQuantity?

  /// The distance from the middle of the nose to the pupil for near vision.
  public let nearPupillaryDistance: HKQuantity?

  /// Creates a specification.
  ///
  /// - Precondition: Powers are in dioptres, the axis is an angle, distances are lengths, and all
  ///   are finite.
  public init(
    sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
    vertexDistance: HKQuantity?, prism: HKVisionPrism?, farPupillaryDistance: HKQuantity?,
    nearPupillaryDistance: HKQuantity?
  ) {
    vertexDistance?.trapUnless(in: .meter(), "The vertex distance of a lens")
    farPupillaryDistance?.trapUnless(in: .meter(), "A pupillary distance")
    nearPupillaryDistance?.trapUnless(in: .meter(), "A pupillary distance")
    self.vertexDistance = vertexDistance
    self.prism = prism
    self.farPupillaryDistance = farPupillaryDistance
    self.nearPupillaryDistance = nearPupillaryDistance
    super.init(checkingSphere: sphere, cylinder, axis, addPower)
  }

  /// Decodes an archived specification; returns nil if the archive holds none.
  public required convenience init?(coder: NSCoder) {
    guard let data = coder.decodeObject(NSData.self, "lens"),
      let lens = LensCoding.decode([UInt8](Data(referencing: data)), LensCoding.glasses)
    else { return nil }
    self.init(
      sphere: lens.sphere, cylinder: lens.cylinder, axis: lens.axis, addPower: lens.addPower,
      vertexDistance: lens.vertexDistance, prism: lens.prism,
      farPupillaryDistance: lens.farPupillaryDistance,
      nearPupillaryDistance: lens.nearPupillaryDistance)
  }

  /// Encodes all fields.
  open func encode(with coder: NSCoder) {
    coder.encode(Data(LensCoding.encode { $0.glasses(self) }) as NSData, forKey: "lens")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard super.isEqual(object), let other = object as? HKGlassesLensSpecification else {
      return false
    }
    return vertexDistance == other.vertexDistance && prism == other.prism
      && farPupillaryDistance == other.farPupillaryDistance
      && nearPupillaryDistance == other.nearPupillaryDistance
  }
}
