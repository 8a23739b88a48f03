public import Foundation

/// How well the ears hear one frequency.
open class HKAudiogramSensitivityPoint: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The frequency, in hertz.
  public let frequency: HKQuantity

  /// What tests found.
  public let tests: [HKAudiogramSensitivityTest]

  /// Makes a point of one sensitivity for each ear, tested through the air without masking.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` when the frequency is not in hertz or not
  ///   above zero, or a sensitivity is not in dBHL; and when one is not finite.
  public convenience init(
    frequency: HKQuantity, leftEarSensitivity: HKQuantity?, rightEarSensitivity: HKQuantity?
  ) throws {
    let sides = [
      (leftEarSensitivity, HKAudiogramSensitivityTestSide.left), (rightEarSensitivity, .right),
    ]
    try self.init(
      frequency: frequency,
      tests: try sides.compactMap { sensitivity, side in
        try sensitivity.map {
          try HKAudiogramSensitivityTest(
            sensitivity: $0, type: .air, masked: false, side: side, clampingRange: nil)
        }
      })
  }

  /// Makes a point of tests.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` when the frequency is not in hertz, not
  ///   finite or not above zero.
  public convenience init(
    frequency: HKQuantity, tests: [HKAudiogramSensitivityTest]
  ) throws {
    try self.init(checking: frequency, tests)
  }

  private init(checking frequency: HKQuantity, _ tests: [HKAudiogramSensitivityTest]) throws {
    try frequency.check(in: .hertz(), "A frequency")
    guard frequency.value > 0 else {
      throw HKError.make(.errorInvalidArgument, "A frequency is above zero, not \(frequency).")
    }
    self.frequency = frequency
    self.tests = tests
    super.init()
  }

  /// What the first test of the left ear found, in dBHL.
  open var leftEarSensitivity: HKQuantity? { tests.first { $0.side == .left }?.sensitivity }

  /// What the first test of the right ear found, in dBHL.
  open var rightEarSensitivity: HKQuantity? { tests.first { $0.side == .right }?.sensitivity }

  /// Reads a point from an archive; nil when it holds none.
  public required convenience init?(coder: NSCoder) {
    guard let frequency = coder.decodeObject(HKQuantity.self, "frequency"),
      coder.containsValue(forKey: "tests"),
      let tests = coder.decodeObject(
        of: [NSArray.self, HKAudiogramSensitivityTest.self], forKey: "tests")
        as? [HKAudiogramSensitivityTest]
    else { return nil }
    do {
      try self.init(checking: frequency, tests)
    } catch {
      return nil
    }
  }

  /// Archives the frequency and the tests.
  open func encode(with coder: NSCoder) {
    coder.encode(frequency, forKey: "frequency")
    coder.encode(tests as NSArray, forKey: "tests")
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same frequency and tests.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKAudiogramSensitivityPoint else { return false }
    return frequency == other.frequency && tests == other.tests
  }

  /// A hash of the frequency.
  open override var hash: Int { frequency.hash }
}
