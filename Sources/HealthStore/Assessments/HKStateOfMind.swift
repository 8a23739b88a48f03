public import Foundation

/// A subject's self-reported emotion or mood.
///
/// ```swift
/// let mood = HKStateOfMind(
///   date: date, kind: .momentaryEmotion, valence: 0.6, labels: [.calm],
///   associations: [.family])
/// ```
open class HKStateOfMind: HKSample, NSCopying, @unchecked Sendable {
  /// Creates a state of mind.
  ///
  /// Traps if ``validated(date:kind:valence:labels:associations:device:metadata:sourceRevision:)``
  /// would throw.
  public convenience init(
    date: Date, kind: Kind, valence: Double, labels: [Label], associations: [Association],
    metadata: [String: Any]? = [:]
  ) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(date, kind, valence, labels, associations, nil, metadata, nil)
      })
  }

  /// Creates a state of mind, or throws an error if the arguments are invalid.
  ///
  /// This is an addition for data from external sources: the initialiser traps instead.
  /// `sourceRevision` is the source that recorded the data, if not the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` if the valence is outside -1 to 1, the date is not finite,
  ///   or the metadata cannot be stored.
  public static func validated(
    date: Date, kind: Kind, valence: Double, labels: [Label] = [],
    associations: [Association] = [], device: HKDevice? = nil, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKStateOfMind {
    HKStateOfMind(
      built: try build(
        date, kind, valence, labels, associations, device, metadata, sourceRevision))
  }

  private static func build(
    _ date: Date, _ kind: Kind, _ valence: Double, _ labels: [Label],
    _ associations: [Association], _ device: HKDevice?, _ metadata: [String: Any]?,
    _ sourceRevision: HKSourceRevision?
  ) throws(HKInvalidSampleError) -> BuiltSample {
    try BuiltSample(
      validating: .stateOfMindType(), start: date, end: date,
      payload: StateOfMindPayload(
        kind: kind, valence: valence, labels: labels.map(\.rawValue),
        associations: associations.map(\.rawValue)),
      device: device, metadata: metadata, sourceRevision: sourceRevision)
  }

  /// The time span that the state of mind describes.
  open var kind: Kind { payload(StateOfMindPayload.self).feeling }

  /// The pleasantness, from -1 (most unpleasant) to 1 (most pleasant).
  open var valence: Double { payload(StateOfMindPayload.self).valence }

  /// The pleasantness as one of seven classes.
  open var valenceClassification: ValenceClassification {
    // Decoding and construction both reject a valence outside the scale.
    ValenceClassification(valence: valence) ?? .neutral
  }

  /// The words that describe the feeling.
  open var labels: [Label] {
    payload(StateOfMindPayload.self).labels.compactMap(Label.init(rawValue:))
  }

  /// The areas of life with which the state of mind is associated.
  open var associations: [Association] {
    payload(StateOfMindPayload.self).associations.compactMap(Association.init(rawValue:))
  }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  override class var payloadType: (any SamplePayload.Type)? { StateOfMindPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is StateOfMindPayload
  }
}
