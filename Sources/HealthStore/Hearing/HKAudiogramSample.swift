public import Foundation

/// A hearing test: how well the ears hear each of some frequencies.
open class HKAudiogramSample: HKSample, @unchecked Sendable {
  /// Makes a hearing test.
  ///
  /// Traps where ``validated(sensitivityPoints:start:end:device:metadata:sourceRevision:)`` throws.
  public convenience init(
    sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
    metadata: [String: Any]?
  ) {
    self.init(
      sensitivityPoints: sensitivityPoints, start: startDate, end: endDate, device: nil,
      metadata: metadata)
  }

  /// Makes a hearing test that a device made.
  ///
  /// Traps where ``validated(sensitivityPoints:start:end:device:metadata:sourceRevision:)`` throws.
  public convenience init(
    sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
    device: HKDevice?, metadata: [String: Any]?
  ) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(sensitivityPoints, startDate, endDate, device, metadata, nil)
      })
  }

  /// Makes a hearing test, or throws where the initialisers trap.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  /// `sourceRevision` says who recorded the data when that is not the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` when there are more than 30 points, frequencies do not
  ///   rise, dates are not finite or not in order, or metadata cannot be stored.
  public static func validated(
    sensitivityPoints: [HKAudiogramSensitivityPoint], start: Date, end: Date,
    device: HKDevice? = nil, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKAudiogramSample {
    HKAudiogramSample(
      built: try build(sensitivityPoints, start, end, device, metadata, sourceRevision))
  }

  private static func build(
    _ points: [HKAudiogramSensitivityPoint], _ start: Date, _ end: Date, _ device: HKDevice?,
    _ metadata: [String: Any]?, _ sourceRevision: HKSourceRevision?
  ) throws(HKInvalidSampleError) -> BuiltSample {
    try BuiltSample(
      validating: .audiogramSampleType(), start: start, end: end,
      payload: AudiogramPayload(points), device: device, metadata: metadata,
      sourceRevision: sourceRevision)
  }

  /// What was heard of each frequency, in rising order: at most 30.
  open var sensitivityPoints: [HKAudiogramSensitivityPoint] {
    payload(AudiogramPayload.self).points
  }

  override class func accepts(_ sample: BuiltSample) -> Bool { sample.payload is AudiogramPayload }
}
