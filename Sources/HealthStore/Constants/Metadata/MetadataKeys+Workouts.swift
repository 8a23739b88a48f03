// Metadata keys for workouts: the constants, followed by the kind of value that each requires.

/// The activity, as a ``HKWorkoutActivityType``: a number.
public let HKMetadataKeyActivityType = "HKActivityType"

/// The grade of a slope: a quantity.
public let HKMetadataKeyAlpineSlopeGrade = "HKAlpineSlopeGrade"

/// The catalog identifier of the Apple Fitness+ session: a string.
public let HKMetadataKeyAppleFitnessPlusCatalogIdentifier =
  "HKMetadataKeyAppleFitnessPlusCatalogIdentifier"

/// Whether it was an Apple Fitness+ session: a Boolean.
public let HKMetadataKeyAppleFitnessPlusSession = "HKMetadataKeyAppleFitnessPlusSession"

/// The average intensity in METs: a quantity.
public let HKMetadataKeyAverageMETs = "HKAverageMETs"

/// The average speed: a quantity.
public let HKMetadataKeyAverageSpeed = "HKAverageSpeed"

/// Whether a coach took part: a Boolean.
public let HKMetadataKeyCoachedWorkout = "HKCoachedWorkout"

/// The distance on a cross trainer: a quantity.
public let HKMetadataKeyCrossTrainerDistance = "HKCrossTrainerDistance"

/// The test method, as a ``HKCyclingFunctionalThresholdPowerTestType``: a number.
public let HKMetadataKeyCyclingFunctionalThresholdPowerTestType =
  "HKCyclingCyclingFunctionalThresholdPowerTestType"

/// The elevation gain: a quantity.
public let HKMetadataKeyElevationAscended = "HKElevationAscended"

/// The elevation loss: a quantity.
public let HKMetadataKeyElevationDescended = "HKElevationDescended"

/// The time on a fitness machine: a quantity.
public let HKMetadataKeyFitnessMachineDuration = "HKFitnessMachineDuration"

/// Whether it was a group workout: a Boolean.
public let HKMetadataKeyGroupFitness = "HKGroupFitness"

/// The distance on an indoor bike: a quantity.
public let HKMetadataKeyIndoorBikeDistance = "HKIndoorBikeDistance"

/// Whether the workout was indoors: a Boolean.
public let HKMetadataKeyIndoorWorkout = "HKIndoorWorkout"

/// The length of a lap: a quantity.
public let HKMetadataKeyLapLength = "HKLapLength"

/// The maximum speed: a quantity.
public let HKMetadataKeyMaximumSpeed = "HKMaximumSpeed"

/// The estimation method, as a ``HKPhysicalEffortEstimationType``: a number.
public let HKMetadataKeyPhysicalEffortEstimationType = "HKPhysicalEffortEstimationType"

/// The SWOLF score, the sum of the strokes and seconds of a length: a number.
public let HKMetadataKeySWOLFScore = "HKSWOLFScore"

/// The location of a swimming workout, as a ``HKWorkoutSwimmingLocationType``: a number.
public let HKMetadataKeySwimmingLocationType = "HKSwimmingLocationType"

/// The stroke style, as a ``HKSwimmingStrokeStyle``: a number.
public let HKMetadataKeySwimmingStrokeStyle = "HKSwimmingStrokeStyle"

/// The salinity of the water, as a ``HKWaterSalinity``: a number.
public let HKMetadataKeyWaterSalinity = "HKMetadataKeyWaterSalinity"

/// The weather, as a ``HKWeatherCondition``: a number.
public let HKMetadataKeyWeatherCondition = "HKWeatherCondition"

/// The relative humidity of the air: a quantity.
public let HKMetadataKeyWeatherHumidity = "HKWeatherHumidity"

/// The temperature of the air: a quantity.
public let HKMetadataKeyWeatherTemperature = "HKWeatherTemperature"

/// The brand of a workout: a string.
public let HKMetadataKeyWorkoutBrandName = "HKWorkoutBrandName"

extension MetadataKeyKind {
  static let workouts: [String: MetadataKeyKind] = [
    HKMetadataKeyActivityType: .enumeration,
    HKMetadataKeyAlpineSlopeGrade: .quantity(HKUnit(from: "%")),
    HKMetadataKeyAppleFitnessPlusCatalogIdentifier: .string,
    HKMetadataKeyAppleFitnessPlusSession: .bool,
    HKMetadataKeyAverageMETs: .quantity(HKUnit(from: "kcal/(kg*hr)")),
    HKMetadataKeyAverageSpeed: .quantity(HKUnit(from: "m/s")),
    HKMetadataKeyCoachedWorkout: .bool,
    HKMetadataKeyCrossTrainerDistance: .quantity(HKUnit(from: "m")),
    HKMetadataKeyCyclingFunctionalThresholdPowerTestType: .enumeration,
    HKMetadataKeyElevationAscended: .quantity(HKUnit(from: "m")),
    HKMetadataKeyElevationDescended: .quantity(HKUnit(from: "m")),
    HKMetadataKeyFitnessMachineDuration: .quantity(HKUnit(from: "s")),
    HKMetadataKeyGroupFitness: .bool,
    HKMetadataKeyIndoorBikeDistance: .quantity(HKUnit(from: "m")),
    HKMetadataKeyIndoorWorkout: .bool,
    HKMetadataKeyLapLength: .quantity(HKUnit(from: "m")),
    HKMetadataKeyMaximumSpeed: .quantity(HKUnit(from: "m/s")),
    HKMetadataKeyPhysicalEffortEstimationType: .enumeration,
    HKMetadataKeySWOLFScore: .number,
    HKMetadataKeySwimmingLocationType: .enumeration,
    HKMetadataKeySwimmingStrokeStyle: .enumeration,
    HKMetadataKeyWaterSalinity: .enumeration,
    HKMetadataKeyWeatherCondition: .enumeration,
    HKMetadataKeyWeatherHumidity: .quantity(HKUnit(from: "%")),
    HKMetadataKeyWeatherTemperature: .quantity(HKUnit(from: "degC")),
    HKMetadataKeyWorkoutBrandName: .string,
  ]
}
