public import Foundation

/// A sample that groups others, such as the two values of one blood pressure.
///
/// ```swift
/// let pressure = HKCorrelation(
///   type: HKCorrelationType(.bloodPressure), start: date, end: date,
///   objects: [systolic, diastolic])
/// ```
open class HKCorrelation: HKSample, HKCorrelationConstruction, @unchecked Sendable {
  /// The kind of correlation.
  open var correlationType: HKCorrelationType {
    guard let type = sampleType as? HKCorrelationType else {
      fatalError("A correlation's type must be a correlation type.")
    }
    return type
  }

  /// The contained samples.
  ///
  /// A query reads them with the correlation, and fails when one cannot be read; those that were
  /// deleted since are not there.
  open var objects: Set<HKSample> {
    if let built { return built.objects }
    return view.objects(at: row)
  }

  /// The contained samples of one type.
  open func objects(for objectType: HKObjectType) -> Set<HKSample> {
    objects.filter { $0.sampleType == objectType }
  }

  override class func accepts(_ sample: BuiltSample) -> Bool { sample.kind == .correlation }
}

/// Gives `HKCorrelation` initialisers that its subclasses have as well.
///
/// Only `HKCorrelation` and its subclasses conform.
public protocol HKCorrelationConstruction {}

extension HKCorrelationConstruction where Self: HKCorrelation {
  /// Makes a correlation without metadata.
  ///
  /// Traps where `validated(type:start:end:objects:device:metadata:sourceRevision:)` throws.
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

  /// Makes a correlation with metadata.
  ///
  /// Traps where `validated(type:start:end:objects:device:metadata:sourceRevision:)` throws.
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

  /// Makes a correlation with a device and metadata.
  ///
  /// Traps where `validated(type:start:end:objects:device:metadata:sourceRevision:)` throws.
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
  /// Makes a correlation, or throws where the initialisers trap.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  /// `sourceRevision` says who recorded the data when that is not the running program.
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
