public import Foundation

/// A sample with one of the values of an enumeration, such as a stage of sleep.
///
/// ```swift
/// let night = HKCategorySample(
///   type: HKCategoryType(.sleepAnalysis),
///   value: HKCategoryValueSleepAnalysis.asleepCore.rawValue, start: evening, end: morning)
/// ```
open class HKCategorySample: HKSample, HKCategorySampleConstruction, @unchecked Sendable {
  /// The category type of the sample.
  open var categoryType: HKCategoryType {
    guard let type = sampleType as? HKCategoryType else {
      fatalError("A category sample's type must be a category type.")
    }
    return type
  }

  /// The raw value of the type's enumeration.
  open var value: Int {
    if let built { return built.categoryValue }
    return Int(exactly: view.value(at: row).rounded()) ?? 0
  }

  /// The value, followed by type, dates and identifier.
  open override var description: String { "\(value) \(super.description)" }

  override class func accepts(_ sample: BuiltSample) -> Bool { sample.kind == .category }
}

/// Initialisers of `HKCategorySample` that its subclasses inherit.
///
/// Only `HKCategorySample` and its subclasses conform.
public protocol HKCategorySampleConstruction {}

extension HKCategorySampleConstruction where Self: HKCategorySample {
  /// Creates a sample without metadata.
  ///
  /// Traps if `validated(type:value:start:end:device:metadata:sourceRevision:)` would throw.
  public init(type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date) {
    self.init(
      type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
  }

  /// Creates a sample with metadata.
  ///
  /// Traps if `validated(type:value:start:end:device:metadata:sourceRevision:)` would throw.
  public init(
    type: HKCategoryType,
    value: Int,
    start startDate: Date,
    end endDate: Date,
    metadata: [String: Any]?
  ) {
    self.init(
      type: type, value: value, start: startDate, end: endDate, device: nil, metadata: metadata)
  }

  /// Creates a sample with a device and metadata.
  ///
  /// Traps if `validated(type:value:start:end:device:metadata:sourceRevision:)` would throw.
  public init(
    type: HKCategoryType,
    value: Int,
    start startDate: Date,
    end endDate: Date,
    device: HKDevice?,
    metadata: [String: Any]?
  ) {
    let built = BuiltSample.orTrap { () throws(HKInvalidSampleError) in
      try BuiltSample(
        validating: type, categoryValue: value, start: startDate, end: endDate, device: device,
        metadata: metadata, sourceRevision: nil)
    }
    self = Self.assume(HKCategorySample(built: built), built)
  }
}

extension HKCategorySample {
  /// Returns a sample, or throws where the initialisers would trap.
  ///
  /// This is an addition for data from untrusted sources. The error describes the invalid argument.
  /// If `sourceRevision` is nil, the source is the running program.
  public static func validated(
    type: HKCategoryType,
    value: Int,
    start: Date,
    end: Date,
    device: HKDevice? = nil,
    metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKCategorySample {
    HKCategorySample(
      built: try BuiltSample(
        validating: type, categoryValue: value, start: start, end: end, device: device,
        metadata: metadata, sourceRevision: sourceRevision))
  }
}
