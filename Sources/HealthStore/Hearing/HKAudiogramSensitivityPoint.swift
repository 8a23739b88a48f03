public import Foundation

/// The sensitivity of the ears at one frequency.
open class HKAudiogramSensitivityPoint: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The frequency, in hertz.
  public let frequency: HKQuantity

  /// The test results at this frequency.
  public let tests: [HKAudiogramSensitivityTest]

  /// Creates a point with at most one sensitivity per ear, from unmasked air conduction tests.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the frequency is not in hertz or not
  ///   positive, a sensitivity is not in dBHL, or a value is not finite.
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

  /// Creates a point from test results.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the frequency is not in hertz, not
  ///   finite or not positive.
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

  /// The sensitivity in the first test of the left ear, in dBHL.
  open var leftEarSensitivity: HKQuantity? { tests.first { $0.side == .left }?.sensitivity }

  /// The sensitivity in the first test of the right ear, in dBHL.
  open var rightEarSensitivity: HKQuantity? { tests.first { $0.side == .right }?.sensitivity }

  /// Decodes a point, or returns nil if the archive has none.
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

  /// Encodes the frequency and the tests.
  open func encode(with coder: NSCoder) {
    coder.encode(frequency, forKey: "frequency")
    coder.encode(tests as NSArray, forKey: "tests")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same frequency and tests.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKAudiogramSensitivityPoint else { return false }
    return frequency == other.frequency && tests == other.tests
  }

  /// A hash of the frequency.
  open override var hash: Int { frequency.hash }
}
