// Metadata keys for measurements: the constants, then what each key's value must be.

/// The version of the algorithm that made the value: a number.
public let HKMetadataKeyAlgorithmVersion = "HKAlgorithmVersion"

/// When the glucose was taken, relative to a meal: a number.
public let HKMetadataKeyBloodGlucoseMealTime = "HKBloodGlucoseMealTime"

/// Where the temperature was taken: a number.
public let HKMetadataKeyBodyTemperatureSensorLocation = "HKBodyTemperatureSensorLocation"

/// The date of the oldest data used for an estimate: a date.
public let HKMetadataKeyDateOfEarliestDataUsedForEstimate = "HKDateOfEarliestDataUsedForEstimate"

/// The heart rate that triggers a notice: a quantity.
public let HKMetadataKeyHeartRateEventThreshold = "HKHeartRateEventThreshold"

/// Where the heart rate was taken: a number.
public let HKMetadataKeyHeartRateSensorLocation = "HKHeartRateSensorLocation"

/// Why the insulin was delivered: a number.
public let HKMetadataKeyInsulinDeliveryReason = "HKInsulinDeliveryReason"

/// The oxygen consumption that triggers a notice: a quantity.
public let HKMetadataKeyLowCardioFitnessEventThreshold = "HKLowCardioFitnessEventThreshold"

/// Whether the sample begins a cycle: a Boolean.
public let HKMetadataKeyMenstrualCycleStart = "HKMenstrualCycleStart"

/// The lower limit of the normal range: a number.
public let HKMetadataKeyReferenceRangeLowerLimit = "HKReferenceRangeLowerLimit"

/// The upper limit of the normal range: a number.
public let HKMetadataKeyReferenceRangeUpperLimit = "HKReferenceRangeUpperLimit"

/// Whether protection was used: a Boolean.
public let HKMetadataKeySexualActivityProtectionUsed = "HKSexualActivityProtectionUsed"

/// How the oxygen consumption was found: a number.
public let HKMetadataKeyVO2MaxTestType = "HKVO2MaxTestType"

/// The greatest oxygen consumption: a quantity.
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
