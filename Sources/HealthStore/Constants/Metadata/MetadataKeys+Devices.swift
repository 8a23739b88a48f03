// Metadata keys for devices, hearing and the heart: the constants, followed by the kind of value
// that each requires.

/// Whether the device was calibrated: a Boolean.
public let HKMetadataKeyAppleDeviceCalibrated = "HKMetadataKeyAppleDeviceCalibrated"

/// The version of the classification algorithm, as a ``HKAppleECGAlgorithmVersion``: a number.
public let HKMetadataKeyAppleECGAlgorithmVersion = "HKMetadataKeyAppleECGAlgorithmVersion"

/// The duration of the audio exposure: a quantity.
public let HKMetadataKeyAudioExposureDuration = "HKMetadataKeyAudioExposureDuration"

/// The level of the audio exposure: a quantity.
public let HKMetadataKeyAudioExposureLevel = "HKMetadataKeyAudioExposureLevel"

/// The barometric pressure: a quantity.
public let HKMetadataKeyBarometricPressure = "HKMetadataKeyBarometricPressure"

/// The side of the body on which the device was worn, as a ``HKDevicePlacementSide``: a number.
public let HKMetadataKeyDevicePlacementSide = "HKMetadataKeyDevicePlacementSide"

/// The gain of the headphones: a quantity.
public let HKMetadataKeyHeadphoneGain = "HKMetadataKeyHeadphoneGain"

/// The user's activity level, as a ``HKHeartRateMotionContext``: a number.
public let HKMetadataKeyHeartRateMotionContext = "HKMetadataKeyHeartRateMotionContext"

/// The duration of the activity before the recovery: a quantity.
public let HKMetadataKeyHeartRateRecoveryActivityDuration =
  "HKMetadataKeyHeartRateRecoveryActivityDuration"

/// The activity before the recovery, as a ``HKWorkoutActivityType``: a number.
public let HKMetadataKeyHeartRateRecoveryActivityType = "HKMetadataKeyHeartRateRecoveryActivityType"

/// The maximum heart rate observed during the recovery: a quantity.
public let HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate =
  "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate"

/// The test method, as a ``HKHeartRateRecoveryTestType``: a number.
public let HKMetadataKeyHeartRateRecoveryTestType = "HKMetadataKeyHeartRateRecoveryTestType"

/// The maximum light intensity: a quantity.
public let HKMetadataKeyMaximumLightIntensity = "HKMetadataKeyMaximumLightIntensity"

/// Whether the value was clamped to the lower bound of the measurable range: a Boolean.
public let HKMetadataKeyQuantityClampedToLowerBound = "HKMetadataKeyQuantityClampedToLowerBound"

/// Whether the value was clamped to the upper bound of the measurable range: a Boolean.
public let HKMetadataKeyQuantityClampedToUpperBound = "HKMetadataKeyQuantityClampedToUpperBound"

/// The estimate of the session, in a unit of the sample's type: a quantity.
public let HKMetadataKeySessionEstimate = "HKMetadataKeySessionEstimate"

/// The user's motion, as a ``HKUserMotionContext``: a number.
public let HKMetadataKeyUserMotionContext = "HKMetadataKeyUserMotionContext"

extension MetadataKeyKind {
  static let devices: [String: MetadataKeyKind] = [
    HKMetadataKeyAppleDeviceCalibrated: .bool,
    HKMetadataKeyAppleECGAlgorithmVersion: .enumeration,
    HKMetadataKeyAudioExposureDuration: .quantity(HKUnit(from: "s")),
    HKMetadataKeyAudioExposureLevel: .quantity(HKUnit(from: "dBASPL")),
    HKMetadataKeyBarometricPressure: .quantity(HKUnit(from: "Pa")),
    HKMetadataKeyDevicePlacementSide: .enumeration,
    HKMetadataKeyHeadphoneGain: .quantity(HKUnit(from: "dBASPL")),
    HKMetadataKeyHeartRateMotionContext: .enumeration,
    HKMetadataKeyHeartRateRecoveryActivityDuration: .quantity(HKUnit(from: "s")),
    HKMetadataKeyHeartRateRecoveryActivityType: .enumeration,
    HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate: .quantity(
      HKUnit(from: "count/min")),
    HKMetadataKeyHeartRateRecoveryTestType: .enumeration,
    HKMetadataKeyMaximumLightIntensity: .quantity(HKUnit(from: "lx")),
    HKMetadataKeyQuantityClampedToLowerBound: .bool,
    HKMetadataKeyQuantityClampedToUpperBound: .bool,
    HKMetadataKeySessionEstimate: .quantity(nil),
    HKMetadataKeyUserMotionContext: .enumeration,
  ]
}
