public import Foundation

/// A sample that holds one of a short list of values, such as a stage of sleep.
///
/// ```swift
/// let night = HKCategorySample(
///   type: HKCategoryType(.sleepAnalysis),
///   value: HKCategoryValueSleepAnalysis.asleepCore.rawValue, start: evening, end: morning)
/// ```
open class HKCategorySample: HKSample, HKCategorySampleConstruction, @unchecked Sendable {
  /// The kind of category.
  open var categoryType: HKCategoryType {
    guard let type = sampleType as? HKCategoryType else {
      fatalError("A category sample's type must be a category type.")
    }
    return type
  }

  /// The raw value of the enumeration that belongs to the type.
  open var value: Int {
    if let built { return built.categoryValue }
    return Int(exactly: view.value(at: row).rounded()) ?? 0
  }

  /// The value before the type, time and identifier.
  open override var description: String { "\(value) \(super.description)" }

  override class func accepts(_ sample: BuiltSample) -> Bool { sample.kind == .category }
}

/// Gives `HKCategorySample` initialisers that its subclasses have as well.
///
/// Only `HKCategorySample` and its subclasses conform.
public protocol HKCategorySampleConstruction {}

extension HKCategorySampleConstruction where Self: HKCategorySample {
  /// Makes a sample without metadata.
  ///
  /// Traps where `validated(type:value:start:end:device:metadata:sourceRevision:)` throws.
  public init(type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date) {
    self.init(
      type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
  }

  /// Makes a sample with metadata.
  ///
  /// Traps where `validated(type:value:start:end:device:metadata:sourceRevision:)` throws.
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

  /// Makes a sample with a device and metadata.
  ///
  /// Traps where `validated(type:value:start:end:device:metadata:sourceRevision:)` throws.
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
  /// Makes a sample, or throws where the initialisers trap.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  /// `sourceRevision` says who recorded the data when that is not the running program.
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
