public import Foundation

/// How sound reaches the ear in a hearing test.
public enum HKAudiogramConductionType: Int, Hashable, Sendable {
  /// Through the air.
  case air = 0
}

/// The ear that a hearing test is of.
public enum HKAudiogramSensitivityTestSide: Int, Hashable, Sendable {
  /// The left ear.
  case left = 0

  /// The right ear.
  case right = 1
}

/// How well one ear hears a frequency, as one test found.
open class HKAudiogramSensitivityTest: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// How much louder than for healthy ears a sound must be to be heard, in dBHL.
  public let sensitivity: HKQuantity

  /// How the sound reached the ear.
  public let type: HKAudiogramConductionType

  /// Whether the other ear heard a noise meanwhile.
  public let masked: Bool

  /// The ear.
  public let side: HKAudiogramSensitivityTestSide

  /// The range that the sensitivity was clamped to, if it was.
  public let clampingRange: HKAudiogramSensitivityPointClampingRange?

  /// Makes a test's result.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` when the sensitivity is not in dBHL or not
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

  /// Reads a test from an archive; nil when it holds none.
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

  /// Archives every field.
  open func encode(with coder: NSCoder) {
    coder.encode(sensitivity, forKey: "sensitivity")
    coder.encode(type.rawValue, forKey: "type")
    coder.encode(masked, forKey: "masked")
    coder.encode(side.rawValue, forKey: "side")
    if let clampingRange { coder.encode(clampingRange, forKey: "clampingRange") }
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both found the same in the same way.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKAudiogramSensitivityTest else { return false }
    return sensitivity == other.sensitivity && type == other.type && masked == other.masked
      && side == other.side && clampingRange == other.clampingRange
  }

  /// A hash of the sensitivity.
  open override var hash: Int { sensitivity.hash }
}

extension HKQuantity {
  /// Throws when the quantity is infinite, no number or in a unit of something else.
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
