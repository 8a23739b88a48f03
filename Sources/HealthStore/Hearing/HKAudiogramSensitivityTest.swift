public import Foundation

/// The path by which sound reaches the ear in a hearing test.
public enum HKAudiogramConductionType: Int, Hashable, Sendable {
  /// Air conduction.
  case air = 0
}

/// The tested ear.
public enum HKAudiogramSensitivityTestSide: Int, Hashable, Sendable {
  /// The left ear.
  case left = 0

  /// The right ear.
  case right = 1
}

/// The result of one test of one ear at a frequency.
open class HKAudiogramSensitivityTest: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The hearing threshold relative to that of healthy ears, in dBHL.
  public let sensitivity: HKQuantity

  /// The conduction type.
  public let type: HKAudiogramConductionType

  /// Whether noise was played to the other ear to mask it.
  public let masked: Bool

  /// The tested ear.
  public let side: HKAudiogramSensitivityTestSide

  /// The range to which the sensitivity was clamped, if any.
  public let clampingRange: HKAudiogramSensitivityPointClampingRange?

  /// Creates a test result.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the sensitivity is not in dBHL or not
  ///   finite.
  public init(
    sensitivity: HKQuantity, type: HKAudiogramConductionType, masked: Bool,
    side: HKAudiogramSensitivityTestSide, clampingRange: HKAudiogramSensitivityPointClampingRange?
  ) throws {
    try sensitivity.check(in: .decibelHearingLevel(), "A sensitivity")
    self.sensitivity = sensitivity
    self.type = type
    self.masked = masked
    self.side = side
    self.clampingRange = clampingRange
    super.init()
  }

  /// Decodes a test result, or returns nil if the archive has none.
  public required convenience init?(coder: NSCoder) {
    guard let sensitivity = coder.decodeObject(HKQuantity.self, "sensitivity"),
      let type = HKAudiogramConductionType(rawValue: coder.decodeInteger(forKey: "type")),
      let side = HKAudiogramSensitivityTestSide(rawValue: coder.decodeInteger(forKey: "side"))
    else { return nil }
    do {
      try self.init(
        sensitivity: sensitivity, type: type, masked: coder.decodeBool(forKey: "masked"),
        side: side,
        clampingRange: coder.decodeObject(
          HKAudiogramSensitivityPointClampingRange.self, "clampingRange"))
    } catch {
      return nil
    }
  }

  /// Encodes every field.
  open func encode(with coder: NSCoder) {
    coder.encode(sensitivity, forKey: "sensitivity")
    coder.encode(type.rawValue, forKey: "type")
    coder.encode(masked, forKey: "masked")
    coder.encode(side.rawValue, forKey: "side")
    if let clampingRange { coder.encode(clampingRange, forKey: "clampingRange") }
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether all fields are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKAudiogramSensitivityTest else { return false }
    return sensitivity == other.sensitivity && type == other.type && masked == other.masked
      && side == other.side && clampingRange == other.clampingRange
  }

  /// A hash of the sensitivity.
  open override var hash: Int { sensitivity.hash }
}

extension HKQuantity {
  /// Throws if the quantity is not finite or its unit is incompatible with the given one.
  func check(in unit: HKUnit, _ name: String) throws {
    guard self.is(compatibleWith: unit) else {
      throw HKError.make(
        .errorInvalidArgument, "\(name) is in \(unit.unitString), not in \(self.unit.unitString).")
    }
    guard value.isFinite else {
      throw HKError.make(.errorInvalidArgument, "\(name) must be finite, not \(value).")
    }
  }
}
