import Foundation

extension BuiltSample {
  /// A new quantity sample with an identifier of its own.
  convenience init(
    validating type: HKQuantityType,
    quantity: HKQuantity,
    start: Date,
    end: Date,
    device: HKDevice?,
    metadata: [String: Any]?,
    sourceRevision: HKSourceRevision?
  ) throws(HKInvalidSampleError) {
    try Self.check(type, start: start, end: end)
    guard type.is(compatibleWith: quantity.unit) else {
      throw .incompatibleUnit(type: type.identifier, unit: quantity.unit.unitString)
    }
    guard quantity.value.isFinite else { throw .valueNotFinite(type: type.identifier) }
    self.init(
      uuid: IdentifierSource.next(), sampleType: type,
      kind: type.aggregationStyle == .cumulative ? .cumulativeQuantity : .discreteQuantity,
      startDate: start, endDate: end,
      quantity: quantity, sourceRevision: sourceRevision, device: device,
      metadata: try Self.checked(metadata, for: type))
  }

  /// A new category sample with an identifier of its own.
  convenience init(
    validating type: HKCategoryType,
    value: Int,
    start: Date,
    end: Date,
    device: HKDevice?,
    metadata: [String: Any]?,
    sourceRevision: HKSourceRevision?
  ) throws(HKInvalidSampleError) {
    try Self.check(type, start: start, end: end)
    guard type.isValid(categoryValue: value) else {
      throw .invalidCategoryValue(type: type.identifier, value: value)
    }
    self.init(
      uuid: IdentifierSource.next(), sampleType: type,
      kind: .category,
      startDate: start, endDate: end,
      categoryValue: value, sourceRevision: sourceRevision, device: device,
      metadata: try Self.checked(metadata, for: type))
  }

  /// A new correlation with an identifier of its own.
  convenience init(
    validating type: HKCorrelationType,
    start: Date,
    end: Date,
    objects: Set<HKSample>,
    device: HKDevice?,
    metadata: [String: Any]?,
    sourceRevision: HKSourceRevision?
  ) throws(HKInvalidSampleError) {
    try Self.check(type, start: start, end: end)
    for object in objects where !(object is HKQuantitySample || object is HKCategorySample) {
      throw .unsupportedCorrelationObject(type: object.sampleType.identifier)
    }
    self.init(
      uuid: IdentifierSource.next(), sampleType: type,
      kind: .correlation,
      startDate: start, endDate: end,
      sourceRevision: sourceRevision, device: device,
      metadata: try Self.checked(metadata, for: type), objects: objects)
  }

  /// Throws when a sample of the type cannot have these dates.
  static func check(
    _ type: HKSampleType, start: Date, end: Date
  ) throws(HKInvalidSampleError) {
    let (from, to) = (start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
    guard from.isFinite, to.isFinite else { throw .dateNotFinite(type: type.identifier) }
    guard from <= to else { throw .endBeforeStart(type: type.identifier) }
    let duration = to - from
    if type.isMaximumDurationRestricted, duration > type.maximumAllowedDuration {
      throw .tooLong(
        type: type.identifier, duration: duration, allowed: type.maximumAllowedDuration)
    }
    if type.isMinimumDurationRestricted, duration < type.minimumAllowedDuration {
      throw .tooShort(
        type: type.identifier, duration: duration, allowed: type.minimumAllowedDuration)
    }
  }

  /// Metadata that a sample may have.
  struct CheckedMetadata {
    /// Normalised; see `Metadata`.
    var values: [String: Any]?
    /// The binary form; empty for none.
    var encoded: [UInt8] = []
  }

  /// Checks metadata; throws when a sample of the type cannot have it.
  static func checked(
    _ metadata: [String: Any]?, for type: HKSampleType
  ) throws(HKInvalidSampleError) -> CheckedMetadata {
    if let key = mandatoryKey(for: type), metadata?[key] == nil {
      throw .missingMetadata(type: type.identifier, key: key)
    }
    guard let metadata else { return CheckedMetadata() }
    let (normalized, encoded) = try Metadata.normalized(metadata)
    let hasIdentifier = normalized[HKMetadataKeySyncIdentifier] != nil
    let hasVersion = normalized[HKMetadataKeySyncVersion] != nil
    if hasIdentifier != hasVersion {
      throw .incompleteSyncIdentity(
        missing: hasIdentifier ? HKMetadataKeySyncVersion : HKMetadataKeySyncIdentifier)
    }
    if let version = normalized[HKMetadataKeySyncVersion], SyncIdentity.version(version) == nil {
      throw .invalidSyncVersion("\(version)")
    }
    return CheckedMetadata(values: normalized, encoded: encoded)
  }

  private static let menstrualFlow =
    HKObjectType.categoryType(forIdentifier: .menstrualFlow)
  private static let insulinDelivery =
    HKObjectType.quantityType(forIdentifier: .insulinDelivery)

  /// The metadata key that samples of the type must have.
  private static func mandatoryKey(for type: HKSampleType) -> String? {
    if type.info === insulinDelivery?.info { return HKMetadataKeyInsulinDeliveryReason }
    if type.info === menstrualFlow?.info { return HKMetadataKeyMenstrualCycleStart }
    return nil
  }
}
