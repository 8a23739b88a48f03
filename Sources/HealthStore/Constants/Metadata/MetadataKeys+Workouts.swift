// Metadata keys for workouts: the constants, then what each key's value must be.

/// The activity, as a ``HKWorkoutActivityType``: a number.
public let HKMetadataKeyActivityType = "HKActivityType"

/// The grade of a slope: a quantity.
public let HKMetadataKeyAlpineSlopeGrade = "HKAlpineSlopeGrade"

/// Which Apple Fitness+ session it was: a string.
public let HKMetadataKeyAppleFitnessPlusCatalogIdentifier =
  "HKMetadataKeyAppleFitnessPlusCatalogIdentifier"

/// Whether it was an Apple Fitness+ session: a Boolean.
public let HKMetadataKeyAppleFitnessPlusSession = "HKMetadataKeyAppleFitnessPlusSession"

/// The average intensity: a quantity.
public let HKMetadataKeyAverageMETs = "HKAverageMETs"

/// The average speed: a quantity.
public let HKMetadataKeyAverageSpeed = "HKAverageSpeed"

/// Whether a coach took part: a Boolean.
public let HKMetadataKeyCoachedWorkout = "HKCoachedWorkout"

/// The distance on a cross trainer: a quantity.
public let HKMetadataKeyCrossTrainerDistance = "HKCrossTrainerDistance"

/// How the cyclist's threshold power was found: a number.
public let HKMetadataKeyCyclingFunctionalThresholdPowerTestType =
  "HKCyclingCyclingFunctionalThresholdPowerTestType"

/// The height climbed: a quantity.
public let HKMetadataKeyElevationAscended = "HKElevationAscended"

/// The height descended: a quantity.
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

/// The greatest speed: a quantity.
public let HKMetadataKeyMaximumSpeed = "HKMaximumSpeed"

/// How the effort was estimated: a number.
public let HKMetadataKeyPhysicalEffortEstimationType = "HKPhysicalEffortEstimationType"

/// The strokes and seconds of a length, added: a number.
public let HKMetadataKeySWOLFScore = "HKSWOLFScore"

/// Where the workout was swum: a number.
public let HKMetadataKeySwimmingLocationType = "HKSwimmingLocationType"

/// The style of swimming: a number.
public let HKMetadataKeySwimmingStrokeStyle = "HKSwimmingStrokeStyle"

/// Whether the water was fresh or salt: a number.
public let HKMetadataKeyWaterSalinity = "HKMetadataKeyWaterSalinity"

/// The weather: a number.
public let HKMetadataKeyWeatherCondition = "HKWeatherCondition"

/// The humidity of the air: a quantity.
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
