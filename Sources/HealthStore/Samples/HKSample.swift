public import Foundation

/// An object with a type and a time.
///
/// Abstract: make an `HKQuantitySample`, `HKCategorySample` or `HKCorrelation`.
open class HKSample: HKObject, @unchecked Sendable {
  /// The kind of data.
  open var sampleType: HKSampleType {
    if let built { return built.sampleType }
    return view.sampleType
  }

  /// When the sample begins.
  open var startDate: Date {
    if let built { return built.startDate }
    return view.startDate(at: row)
  }

  /// When the sample ends: never before `startDate`.
  open var endDate: Date {
    if let built { return built.endDate }
    return view.endDate(at: row)
  }

  /// Whether the end is not known yet, which an `endDate` of `.distantFuture` says.
  open var hasUndeterminedDuration: Bool { endDate == .distantFuture }

  /// The class, type, time and identifier.
  open override var description: String {
    "\(sampleType.identifier) \(startDate.printed) - \(endDate.printed) \(uuid)"
  }

  /// The class that the sample is of, or that it is a subclass of.
  final var kind: SampleKind { built?.kind ?? view.kind }

  /// Makes the object that stands for one row, of the class that its type calls for.
  ///
  /// Costs one allocation; nothing of the row is read.
  final class func make(block: StoredBlock, row: Int32) -> HKSample {
    switch block.kind {
    case .cumulativeQuantity: HKCumulativeQuantitySample(block: block, row: row)
    case .discreteQuantity: HKDiscreteQuantitySample(block: block, row: row)
    case .category: HKCategorySample(block: block, row: row)
    case .correlation: HKCorrelation(block: block, row: row)
    case .other: HKSample(block: block, row: row)
    }
  }

  /// Whether a correlation contains the sample, as far as its block knows.
  ///
  /// - Throws: What reading the correlation throws.
  final func isCorrelated() throws -> Bool {
    guard let block else { return false }
    return try block.isCorrelated(at: row)
  }
}
