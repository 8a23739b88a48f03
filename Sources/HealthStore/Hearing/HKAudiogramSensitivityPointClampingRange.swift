public import Foundation

/// The range to which test results are clamped.
///
/// One bound may be absent.
open class HKAudiogramSensitivityPointClampingRange: NSObject, NSSecureCoding, NSCopying,
  @unchecked Sendable
{
  /// The lower bound of the sensitivity, in dBHL.
  public let lowerBound: HKQuantity?

  /// The upper bound of the sensitivity, in dBHL.
  public let upperBound: HKQuantity?

  /// Creates a range from bounds in dBHL, one of which may be nil.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if both bounds are nil, one is not finite,
  ///   or the lower bound exceeds the upper.
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

  /// Decodes a range, or returns nil if the archive has none.
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

  /// Encodes both bounds.
  open func encode(with coder: NSCoder) {
    if let lowerBound { coder.encode(lowerBound.value, forKey: "lowerBound") }
    if let upperBound { coder.encode(upperBound.value, forKey: "upperBound") }
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same bounds.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKAudiogramSensitivityPointClampingRange else { return false }
    return lowerBound == other.lowerBound && upperBound == other.upperBound
  }

  /// A hash of the bounds.
  open override var hash: Int { [lowerBound, upperBound].hashValue }
}
