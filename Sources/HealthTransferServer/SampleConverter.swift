import Foundation
import HealthStore
import HealthTransfer
import SampleLog

/// A converter of a batch's samples to rows.
struct SampleConverter {
  private var types: [String: HKSampleType?] = [:]
  private var units: [String: HKUnit?] = [:]

  /// Converts a sample to rows.
  ///
  /// - Throws: ``HKInvalidSampleError`` if the sample is invalid.
  mutating func row(
    _ sample: TransferSample
  ) throws(HKInvalidSampleError) -> ReceivedSample {
    var result = ReceivedSample(sample)
    let type = type(sample.type)
    if let name = sample.unit {
      guard let unit = unit(name) else { throw sample.invalid("its unit is none.") }
      result.row.unit = unit.unitString
    }
    result.row.value = sample.value
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
      throw sample.invalid("it has contents, which its type does not have.")
    }
    if sample.contents.isEmpty {
      if kind.isRequired { throw sample.invalid("it has no contents.") }
      return nil
    }
    guard let payload = sample.contents.withUnsafeBytes({ kind.init($0) }) else {
      throw sample.invalid("its contents make no sense.")
    }
    return payload
  }
}

extension TransferSample {
  func invalid(_ reason: String) -> HKInvalidSampleError {
    .invalidContents(type: type, reason: reason)
  }
}
