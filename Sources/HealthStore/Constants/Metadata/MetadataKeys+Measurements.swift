// Metadata keys for measurements: the constants, followed by the kind of value that each requires.

/// The version of the algorithm that computed the value: a number.
public let HKMetadataKeyAlgorithmVersion = "HKAlgorithmVersion"

/// The time relative to a meal, as a ``HKBloodGlucoseMealTime``: a number.
public let HKMetadataKeyBloodGlucoseMealTime = "HKBloodGlucoseMealTime"

/// The sensor location, as a ``HKBodyTemperatureSensorLocation``: a number.
public let HKMetadataKeyBodyTemperatureSensorLocation = "HKBodyTemperatureSensorLocation"

/// The date of the oldest data used for an estimate: a date.
public let HKMetadataKeyDateOfEarliestDataUsedForEstimate = "HKDateOfEarliestDataUsedForEstimate"

/// The heart rate threshold of the event: a quantity.
public let HKMetadataKeyHeartRateEventThreshold = "HKHeartRateEventThreshold"

/// The sensor location, as a ``HKHeartRateSensorLocation``: a number.
public let HKMetadataKeyHeartRateSensorLocation = "HKHeartRateSensorLocation"

/// The reason for the delivery, as a ``HKInsulinDeliveryReason``: a number.
public let HKMetadataKeyInsulinDeliveryReason = "HKInsulinDeliveryReason"

/// The VO₂ max threshold of the event: a quantity.
public let HKMetadataKeyLowCardioFitnessEventThreshold = "HKLowCardioFitnessEventThreshold"

/// Whether the sample marks the start of a menstrual cycle: a Boolean.
public let HKMetadataKeyMenstrualCycleStart = "HKMenstrualCycleStart"

/// The lower limit of the reference range: a number.
public let HKMetadataKeyReferenceRangeLowerLimit = "HKReferenceRangeLowerLimit"

/// The upper limit of the reference range: a number.
public let HKMetadataKeyReferenceRangeUpperLimit = "HKReferenceRangeUpperLimit"

/// Whether protection was used: a Boolean.
public let HKMetadataKeySexualActivityProtectionUsed = "HKSexualActivityProtectionUsed"

/// The test method, as a ``HKVO2MaxTestType``: a number.
public let HKMetadataKeyVO2MaxTestType = "HKVO2MaxTestType"

/// The VO₂ max: a quantity.
public let HKMetadataKeyVO2MaxValue = "HKVO2MaxValue"

extension MetadataKeyKind {
  static let measurements: [String: MetadataKeyKind] = [
    HKMetadataKeyAlgorithmVersion: .number,
    HKMetadataKeyBloodGlucoseMealTime: .enumeration,
    HKMetadataKeyBodyTemperatureSensorLocation: .enumeration,
    HKMetadataKeyDateOfEarliestDataUsedForEstimate: .date,
    HKMetadataKeyHeartRateEventThreshold: .quantity(HKUnit(from: "count/min")),
    HKMetadataKeyHeartRateSensorLocation: .enumeration,
    HKMetadataKeyInsulinDeliveryReason: .enumeration,
    HKMetadataKeyLowCardioFitnessEventThreshold: .quantity(HKUnit(from: "ml/(kg*min)")),
    HKMetadataKeyMenstrualCycleStart: .bool,
    HKMetadataKeyReferenceRangeLowerLimit: .number,
    HKMetadataKeyReferenceRangeUpperLimit: .number,
    HKMetadataKeySexualActivityProtectionUsed: .bool,
    HKMetadataKeyVO2MaxTestType: .enumeration,
    HKMetadataKeyVO2MaxValue: .quantity(HKUnit(from: "ml/(kg*min)")),
  ]
}
