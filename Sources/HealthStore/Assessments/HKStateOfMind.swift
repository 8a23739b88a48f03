public import Foundation

/// How somebody felt, by their own word.
///
/// ```swift
/// let mood = HKStateOfMind(
///   date: date, kind: .momentaryEmotion, valence: 0.6, labels: [.calm],
///   associations: [.family])
/// ```
open class HKStateOfMind: HKSample, NSCopying, @unchecked Sendable {
  /// Makes a state of mind.
  ///
  /// Traps where
  /// ``validated(date:kind:valence:labels:associations:device:metadata:sourceRevision:)`` throws.
  public convenience init(
    date: Date, kind: Kind, valence: Double, labels: [Label], associations: [Association],
    metadata: [String: Any]? = [:]
  ) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(date, kind, valence, labels, associations, nil, metadata, nil)
      })
  }

  /// Makes a state of mind, or throws where the initialiser traps.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  /// `sourceRevision` says who recorded the data when that is not the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` for a valence outside of -1 to 1, a date that is not finite
  ///   or metadata that cannot be stored.
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

  /// Which time it is about.
  open var kind: Kind { payload(StateOfMindPayload.self).feeling }

  /// How pleasant it was: from -1 for most unpleasant to 1 for most pleasant.
  open var valence: Double { payload(StateOfMindPayload.self).valence }

  /// How pleasant it was, as one of seven classes.
  open var valenceClassification: ValenceClassification {
    // A valence is in the range of the scale: reading and making a state of mind see to it.
    ValenceClassification(valence: valence) ?? .neutral
  }

  /// Words for what was felt.
  open var labels: [Label] {
    payload(StateOfMindPayload.self).labels.compactMap(Label.init(rawValue:))
  }

  /// What parts of life it had to do with.
  open var associations: [Association] {
    payload(StateOfMindPayload.self).associations.compactMap(Association.init(rawValue:))
  }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    sample.payload is StateOfMindPayload
  }
}
