import Foundation

// Validates new samples.
extension BuiltSample {
  /// Creates a sample with a new identifier, or throws if the fields are invalid for its type.
  convenience init(
    validating type: HKSampleType,
    quantity: HKQuantity? = nil,
    categoryValue: Int = 0,
    start: Date,
    end: Date,
    objects: Set<HKSample> = [],
    payload: (any SamplePayload)? = nil,
    children: [any ChildPayload] = [],
    device: HKDevice?,
    metadata: [String: Any]?,
    sourceRevision: HKSourceRevision?
  ) throws(HKInvalidSampleError) {
    let kind = SampleKind(of: type)
    let checked = try Self.check(
      type, kind, start, end, quantity, categoryValue, objects, payload, metadata)
    self.init(
      uuid: IdentifierSource.next(), sampleType: type, kind: kind, startDate: start, endDate: end,
      quantity: quantity, categoryValue: categoryValue, sourceRevision: sourceRevision,
      device: device, metadata: checked.values, checkedMetadata: checked.encoded, objects: objects,
      payload: payload, children: children)
  }

  /// Returns the encoded metadata, or throws if the fields are invalid for the type.
  func check() throws(HKInvalidSampleError) -> [UInt8] {
    try Self.check(
      sampleType, kind, startDate, endDate, quantity, categoryValue, objects, payload, metadata
    ).encoded
  }

  private static func check(
    _ type: HKSampleType, _ kind: SampleKind, _ start: Date, _ end: Date, _ quantity: HKQuantity?,
    _ categoryValue: Int, _ objects: Set<HKSample>, _ payload: (any SamplePayload)?,
    _ metadata: [String: Any]?
  ) throws(HKInvalidSampleError) -> CheckedMetadata {
    let (from, to) = (start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
    try SampleRule.check(
      type, kind, type.identifier, start: from, end: to,
      value: quantity?.value ?? Double(categoryValue), unit: quantity?.unit)
    try check(type, duration: to - from)
    if kind == .category {
      guard (type as? HKCategoryType)?.isValid(categoryValue: categoryValue) == true else {
        throw .invalidCategoryValue(type: type.identifier, value: categoryValue)
      }
    }
    for object in objects where !(object is HKQuantitySample || object is HKCategorySample) {
      throw .unsupportedCorrelationObject(type: object.sampleType.identifier)
    }
    try payload?.check(type, start: start, end: end)
    return try checked(metadata, for: type)
  }

  /// Throws if the duration is outside the limits of the type.
  private static func check(
    _ type: HKSampleType, duration: TimeInterval
  ) throws(HKInvalidSampleError) {
    if type.isMaximumDurationRestricted, duration > type.maximumAllowedDuration {
      throw .tooLong(
        type: type.identifier, duration: duration, allowed: type.maximumAllowedDuration)
    }
    if type.isMinimumDurationRestricted, duration < type.minimumAllowedDuration {
      throw .tooShort(
        type: type.identifier, duration: duration, allowed: type.minimumAllowedDuration)
    }
  }

  /// Validated metadata: normalised values (see `Metadata`) and their encoding.
  private typealias CheckedMetadata = (values: [String: Any]?, encoded: [UInt8])

  /// Returns validated metadata, or throws if it is invalid for the type.
  private static func checked(
    _ metadata: [String: Any]?, for type: HKSampleType
  ) throws(HKInvalidSampleError) -> CheckedMetadata {
    if let key = mandatoryKey(for: type), metadata?[key] == nil {
      throw .missingMetadata(type: type.identifier, key: key)
    }
    guard let metadata else { return (nil, []) }
    let (normalized, encoded) = try Metadata.normalized(metadata)
    let hasIdentifier = normalized[HKMetadataKeySyncIdentifier] != nil
    let hasVersion = normalized[HKMetadataKeySyncVersion] != nil
    if hasIdentifier != hasVersion {
      throw .incompleteSyncIdentity(
        missing: hasIdentifier ? HKMetadataKeySyncVersion : HKMetadataKeySyncIdentifier)
    }
    try SyncIdentity.check(normalized, of: type.identifier)
    return (normalized, encoded)
  }

  private static let menstrualFlow =
    HKObjectType.categoryType(forIdentifier: .menstrualFlow)
  private static let insulinDelivery =
    HKObjectType.quantityType(forIdentifier: .insulinDelivery)

  /// Returns the metadata key that samples of the type require.
  private static func mandatoryKey(for type: HKSampleType) -> String? {
    if type.info === insulinDelivery?.info { return HKMetadataKeyInsulinDeliveryReason }
    if type.info === menstrualFlow?.info { return HKMetadataKeyMenstrualCycleStart }
    return nil
  }
}
