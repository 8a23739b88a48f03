public import Foundation

/// The range that the results of a hearing test are clamped to, which may be open on a side.
open class HKAudiogramSensitivityPointClampingRange: NSObject, NSSecureCoding, NSCopying,
  @unchecked Sendable
{
  /// The least sensitivity, in dBHL.
  public let lowerBound: HKQuantity?

  /// The greatest sensitivity, in dBHL.
  public let upperBound: HKQuantity?

  /// Makes a range of two bounds in dBHL, one of which may be missing.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` when both are missing, one is not finite or
  ///   the lower is above the upper.
  public convenience init(lowerBound: NSNumber?, upperBound: NSNumber?) throws {
    try self.init(lower: lowerBound?.doubleValue, upper: upperBound?.doubleValue)
  }

  init(lower: Double?, upper: Double?) throws {
    guard lower != nil || upper != nil else {
      throw HKError.make(.errorInvalidArgument, "A clamping range has one bound at least.")
    }
    guard lower?.isFinite != false, upper?.isFinite != false,
      lower ?? -.infinity <= upper ?? .infinity
    else {
      throw HKError.make(
        .errorInvalidArgument, "A clamping range's bounds must be finite and in order.")
    }
    let unit = HKUnit.decibelHearingLevel()
    lowerBound = lower.map { HKQuantity(unit: unit, doubleValue: $0) }
    upperBound = upper.map { HKQuantity(unit: unit, doubleValue: $0) }
    super.init()
  }

  /// Reads a range from an archive; nil when it holds none.
  public required convenience init?(coder: NSCoder) {
    func bound(_ key: String) -> Double? {
      coder.containsValue(forKey: key) ? coder.decodeDouble(forKey: key) : nil
    }
    do {
      try self.init(lower: bound("lowerBound"), upper: bound("upperBound"))
    } catch {
      return nil
    }
  }

  /// Archives both bounds.
  open func encode(with coder: NSCoder) {
    if let lowerBound { coder.encode(lowerBound.value, forKey: "lowerBound") }
    if let upperBound { coder.encode(upperBound.value, forKey: "upperBound") }
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same bounds.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKAudiogramSensitivityPointClampingRange else { return false }
    return lowerBound == other.lowerBound && upperBound == other.upperBound
  }

  /// A hash of the bounds.
  open override var hash: Int { [lowerBound, upperBound].hashValue }
}
