public import Foundation

/// A sample that groups other samples, such as the two values of a blood pressure.
///
/// ```swift
/// let pressure = HKCorrelation(
///   type: HKCorrelationType(.bloodPressure), start: date, end: date,
///   objects: [systolic, diastolic])
/// ```
open class HKCorrelation: HKSample, HKCorrelationConstruction, @unchecked Sendable {
  /// The correlation type of the sample.
  open var correlationType: HKCorrelationType {
    guard let type = sampleType as? HKCorrelationType else {
      fatalError("A correlation's type must be a correlation type.")
    }
    return type
  }

  /// The contained samples.
  ///
  /// A query reads them together with the correlation and fails if one cannot be read. Samples that
  /// have since been deleted are not included.
  open var objects: Set<HKSample> {
    if let built { return built.objects }
    return view.members(at: row)
  }

  /// Returns the contained samples of one type.
  open func objects(for objectType: HKObjectType) -> Set<HKSample> {
    objects.filter { $0.sampleType == objectType }
  }

  override class var payloadType: (any SamplePayload.Type)? { CorrelationPayload.self }

  override class func accepts(_ sample: BuiltSample) -> Bool { sample.kind == .correlation }
}

/// Initialisers of `HKCorrelation` that its subclasses inherit.
///
/// Only `HKCorrelation` and its subclasses conform.
public protocol HKCorrelationConstruction {}

extension HKCorrelationConstruction where Self: HKCorrelation {
  /// Creates a correlation without metadata.
  ///
  /// Traps if `validated(type:start:end:objects:device:metadata:sourceRevision:)` would throw.
  public init(
    type correlationType: HKCorrelationType,
    start startDate: Date,
    end endDate: Date,
    objects: Set<HKSample>
  ) {
    self.init(
      type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
      metadata: nil)
  }

  /// Creates a correlation with metadata.
  ///
  /// Traps if `validated(type:start:end:objects:device:metadata:sourceRevision:)` would throw.
  public init(
    type correlationType: HKCorrelationType,
    start startDate: Date,
    end endDate: Date,
    objects: Set<HKSample>,
    metadata: [String: Any]?
  ) {
    self.init(
      type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
      metadata: metadata)
  }

  /// Creates a correlation with a device and metadata.
  ///
  /// Traps if `validated(type:start:end:objects:device:metadata:sourceRevision:)` would throw.
  public init(
    type correlationType: HKCorrelationType,
    start startDate: Date,
    end endDate: Date,
    objects: Set<HKSample>,
    device: HKDevice?,
    metadata: [String: Any]?
  ) {
    let built = BuiltSample.orTrap { () throws(HKInvalidSampleError) in
      try BuiltSample(
        validating: correlationType, start: startDate, end: endDate, objects: objects,
        device: device, metadata: metadata, sourceRevision: nil)
    }
    self = Self.assume(HKCorrelation(built: built), built)
  }
}

extension HKCorrelation {
  /// Returns a correlation, or throws where the initialisers would trap.
  ///
  /// This is an addition for data from untrusted sources. The error describes the invalid argument.
  /// If `sourceRevision` is nil, the source is the running program.
  public static func validated(
    type: HKCorrelationType,
    start: Date,
    end: Date,
    objects: Set<HKSample>,
    device: HKDevice? = nil,
    metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKCorrelation {
    HKCorrelation(
      built: try BuiltSample(
        validating: type, start: start, end: end, objects: objects, device: device,
        metadata: metadata, sourceRevision: sourceRevision))
  }
}
