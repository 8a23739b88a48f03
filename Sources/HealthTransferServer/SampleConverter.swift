import Foundation
import HealthStore
import HealthTransfer
import SampleLog

/// Turns samples of a batch into rows, if a store can have them.
struct SampleConverter {
  private var types: [String: HKSampleType?] = [:]
  private var units: [String: HKUnit?] = [:]

  /// The rows of a sample.
  ///
  /// - Throws: ``HKInvalidSampleError`` when it makes no sense.
  mutating func row(
    _ sample: TransferSample
  ) throws(HKInvalidSampleError) -> ReceivedSample {
    var result = ReceivedSample(sample)
    let type = type(sample.type)
    if let type, !type.isSavable { throw sample.invalid("its type cannot be saved") }
    if type is HKCategoryType || type == nil && HKObjectType.isCategory(identifier: sample.type) {
      guard Int(exactly: sample.value.rounded()) != nil else {
        throw sample.invalid("a category is a whole number")
      }
      result.row.value = sample.value
    } else if type == nil || type is HKQuantityType {
      // One of a later system explains itself by its unit.
      guard let unit = sample.unit.flatMap({ unit($0) }) else { throw sample.invalid("no unit") }
      guard (type as? HKQuantityType)?.is(compatibleWith: unit) ?? true else {
        throw sample.invalid("another unit")
      }
      result.row.unit = unit.unitString
      result.row.value = sample.value
    }
    if let payload = try payload(of: sample, type) {
      result.payload = payload
      if type is HKCorrelationType { result.members = payload.members }
      if !(type is HKQuantityType) { result.row.value = payload.rowValue }
    }
    try result.take(sample)
    return result
  }

  private mutating func type(_ name: String) -> HKSampleType? {
    if let known = types[name] { return known }
    let type = HKObjectType.make(identifier: name) as? HKSampleType
    types[name] = .some(type)
    return type
  }

  private mutating func unit(_ name: String) -> HKUnit? {
    if let known = units[name] { return known }
    let unit = HKUnit.named(name)
    units[name] = .some(unit)
    return unit
  }

  private func payload(
    of sample: TransferSample, _ type: HKSampleType?
  ) throws(HKInvalidSampleError) -> (any SamplePayload)? {
    guard let kind = type?.payload else {
      if sample.contents.isEmpty { return nil }
      throw sample.invalid("contents that its type does not have")
    }
    if sample.contents.isEmpty {
      if kind.isRequired { throw sample.invalid("no contents") }
      return nil
    }
    guard let payload = sample.contents.withUnsafeBytes({ kind.init($0) }) else {
      throw sample.invalid("contents that make no sense")
    }
    return payload
  }
}

extension TransferSample {
  func invalid(_ reason: String) -> HKInvalidSampleError {
    .invalidContents(type: type, reason: reason)
  }
}
