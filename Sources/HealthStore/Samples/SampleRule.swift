import Foundation
import SampleLog

/// The rule for which samples a store accepts.
///
/// Construction, `save`, imports, `ingest`, transfers and restoring an export all apply this rule,
/// so they accept the same samples, and readers can rely on it. It omits HealthKit's further checks
/// for new samples (`BuiltSample.check`): durations, category values, and metadata that a type
/// requires. Samples of another store have already passed those checks, and a later HealthKit
/// version may allow more.
struct SampleRule {
  /// The type's identifier.
  let name: String
  /// The type, or nil if this version does not know it.
  let type: HKSampleType?
  let kind: SampleKind?

  /// Creates the rule for samples of a type.
  ///
  /// - Throws: ``HKInvalidSampleError`` if the type cannot have samples.
  init(of name: String) throws(HKInvalidSampleError) {
    // Control characters separate the parts of child type names.
    guard !name.isEmpty, name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
      name.utf8.count < StoreLimit.nameBytes.maximum / 2
    else { throw .invalidContents(type: String(name.prefix(80)), reason: "it is no type.") }
    let object = HKObjectType.make(identifier: name)
    type = object as? HKSampleType
    kind = type.map(SampleKind.init)
    self.name = name
    if (object != nil && type == nil) || kind == .other {
      throw .invalidContents(type: name, reason: "there are no samples of this type.")
    }
  }

  /// Throws if these fields are not valid for a sample of the type.
  func check(
    start: Double, end: Double, value: Double, unit: HKUnit?
  ) throws(HKInvalidSampleError) {
    try Self.check(type, kind, name, start: start, end: end, value: value, unit: unit)
  }

  /// Throws if these fields are not valid for a sample of a type.
  ///
  /// The kind is nil for a type that this version does not know.
  static func check(
    _ type: HKSampleType?, _ kind: SampleKind?, _ name: @autoclosure () -> String, start: Double,
    end: Double, value: Double, unit: HKUnit?
  ) throws(HKInvalidSampleError) {
    guard start.isFinite, end.isFinite else { throw .dateNotFinite(type: name()) }
    guard start <= end else { throw .endBeforeStart(type: name()) }
    guard value.isFinite else { throw .valueNotFinite(type: name()) }
    switch kind {
    case .cumulativeQuantity?, .discreteQuantity?:
      guard let unit else { throw .invalidContents(type: name(), reason: "it has no unit.") }
      guard (type as? HKQuantityType)?.is(compatibleWith: unit) == true else {
        throw .incompatibleUnit(type: name(), unit: unit.unitString)
      }
      return
    case nil where unit != nil: return
    case nil where !HKObjectType.isCategory(identifier: name()):
      // A sample of an unknown quantity type is recognised by its unit.
      throw .invalidContents(type: name(), reason: "it has no unit.")
    case .category?, nil:
      guard Int(exactly: value) != nil else {
        throw .invalidContents(type: name(), reason: "the value of a category is a whole number.")
      }
    default: break
    }
    guard unit == nil else {
      throw .invalidContents(type: name(), reason: "only a quantity has a unit.")
    }
  }
}
