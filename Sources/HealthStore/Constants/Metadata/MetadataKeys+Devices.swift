// Metadata keys for devices, hearing and the heart:
// the constants, then what each key's value must be.

/// Whether the device was calibrated: a Boolean.
public let HKMetadataKeyAppleDeviceCalibrated = "HKMetadataKeyAppleDeviceCalibrated"

/// The version of the algorithm that classified the electrocardiogram: a number.
public let HKMetadataKeyAppleECGAlgorithmVersion = "HKMetadataKeyAppleECGAlgorithmVersion"

/// How long the sound lasted: a quantity.
public let HKMetadataKeyAudioExposureDuration = "HKMetadataKeyAudioExposureDuration"

/// The level of the sound: a quantity.
public let HKMetadataKeyAudioExposureLevel = "HKMetadataKeyAudioExposureLevel"

/// The pressure of the air: a quantity.
public let HKMetadataKeyBarometricPressure = "HKMetadataKeyBarometricPressure"

/// The side of the body the device was worn on: a number.
public let HKMetadataKeyDevicePlacementSide = "HKMetadataKeyDevicePlacementSide"

/// The gain of the headphones: a quantity.
public let HKMetadataKeyHeadphoneGain = "HKMetadataKeyHeadphoneGain"

/// What the user did when the heart rate was taken: a number.
public let HKMetadataKeyHeartRateMotionContext = "HKMetadataKeyHeartRateMotionContext"

/// How long the activity before the recovery lasted: a quantity.
public let HKMetadataKeyHeartRateRecoveryActivityDuration =
  "HKMetadataKeyHeartRateRecoveryActivityDuration"

/// The activity before the recovery, as a ``HKWorkoutActivityType``: a number.
public let HKMetadataKeyHeartRateRecoveryActivityType = "HKMetadataKeyHeartRateRecoveryActivityType"

/// The greatest heart rate seen in the recovery: a quantity.
public let HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate =
  "HKMetadataKeyHeartRateRecoveryMaxObservedRecoveryHeartRate"

/// How the recovery was found: a number.
public let HKMetadataKeyHeartRateRecoveryTestType = "HKMetadataKeyHeartRateRecoveryTestType"

/// The greatest intensity of light: a quantity.
public let HKMetadataKeyMaximumLightIntensity = "HKMetadataKeyMaximumLightIntensity"

/// Whether the value was below what can be measured: a Boolean.
public let HKMetadataKeyQuantityClampedToLowerBound = "HKMetadataKeyQuantityClampedToLowerBound"

/// Whether the value was above what can be measured: a Boolean.
public let HKMetadataKeyQuantityClampedToUpperBound = "HKMetadataKeyQuantityClampedToUpperBound"

/// The estimate of the session, in a unit of the sample's type: a quantity.
public let HKMetadataKeySessionEstimate = "HKMetadataKeySessionEstimate"

/// How the user moved: a number.
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
