public import Foundation

/// An audiogram: the sensitivity of both ears at a set of frequencies.
open class HKAudiogramSample: HKSample, @unchecked Sendable {
  /// Creates an audiogram.
  ///
  /// Traps if ``validated(sensitivityPoints:start:end:device:metadata:sourceRevision:)`` would
  /// throw.
  public convenience init(
    sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
    metadata: [String: Any]?
  ) {
    self.init(
      sensitivityPoints: sensitivityPoints, start: startDate, end: endDate, device: nil,
      metadata: metadata)
  }

  /// Creates an audiogram that a device recorded.
  ///
  /// Traps if ``validated(sensitivityPoints:start:end:device:metadata:sourceRevision:)`` would
  /// throw.
  public convenience init(
    sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
    device: HKDevice?, metadata: [String: Any]?
  ) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(sensitivityPoints, startDate, endDate, device, metadata, nil)
      })
  }

  /// Creates an audiogram, or throws an error if the arguments are invalid.
  ///
  /// This is an addition for data from external sources: the initialisers trap instead.
  /// `sourceRevision` is the source that recorded the data, if not the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` if there are more than 30 points, the frequencies do not
  ///   strictly increase, the dates are not finite or not in order, or the metadata cannot be
  ///   stored.
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

  /// The results per frequency, in ascending order of frequency; at most 30.
  open var sensitivityPoints: [HKAudiogramSensitivityPoint] {
    payload(AudiogramPayload.self).points
  }

  override class var payloadType: (any SamplePayload.Type)? { AudiogramPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool { sample.payload is AudiogramPayload }
}
