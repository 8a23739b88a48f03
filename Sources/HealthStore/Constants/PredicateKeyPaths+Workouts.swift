// Property names of workouts and documents for predicate formats.

/// The activity of a workout.
public let HKPredicateKeyPathWorkoutType = "workoutType"

/// The duration of a workout.
public let HKPredicateKeyPathWorkoutDuration = "duration"

/// The distance of a workout.
public let HKPredicateKeyPathWorkoutTotalDistance = "totalDistance"

/// The energy burned in a workout.
public let HKPredicateKeyPathWorkoutTotalEnergyBurned = "totalEnergyBurned"

/// The number of swimming strokes in a workout.
public let HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount = "totalSwimmingStrokeCount"

/// The number of flights climbed in a workout.
public let HKPredicateKeyPathWorkoutTotalFlightsClimbed = "totalFlightsClimbed"

/// A sum over a workout.
public let HKPredicateKeyPathWorkoutSumQuantity = "sumQuantity"

/// A minimum over a workout.
public let HKPredicateKeyPathWorkoutMinimumQuantity = "minimumQuantity"

/// A maximum over a workout.
public let HKPredicateKeyPathWorkoutMaximumQuantity = "maximumQuantity"

/// An average over a workout.
public let HKPredicateKeyPathWorkoutAverageQuantity = "averageQuantity"

/// An activity within a workout.
public let HKPredicateKeyPathWorkoutActivity = "workoutActivity"

/// The type of an activity within a workout.
public let HKPredicateKeyPathWorkoutActivityType = "activityType"

/// The duration of an activity within a workout.
public let HKPredicateKeyPathWorkoutActivityDuration = "activityDuration"

/// The start of an activity within a workout.
public let HKPredicateKeyPathWorkoutActivityStartDate = "activityStartDate"

/// The end of an activity within a workout.
public let HKPredicateKeyPathWorkoutActivityEndDate = "activityEndDate"

/// A sum over an activity within a workout.
public let HKPredicateKeyPathWorkoutActivitySumQuantity = "activitySumQuantity"

/// A minimum over an activity within a workout.
public let HKPredicateKeyPathWorkoutActivityMinimumQuantity = "activityMinimumQuantity"

/// A maximum over an activity within a workout.
public let HKPredicateKeyPathWorkoutActivityMaximumQuantity = "activityMaximumQuantity"

/// An average over an activity within a workout.
public let HKPredicateKeyPathWorkoutActivityAverageQuantity = "activityAverageQuantity"

/// The average heart rate of an electrocardiogram.
public let HKPredicateKeyPathAverageHeartRate = "ecg_average_heart_rate"

/// The classification of an electrocardiogram.
public let HKPredicateKeyPathECGClassification = "ecg_public_classification"

/// Whether symptoms were recorded with an electrocardiogram.
public let HKPredicateKeyPathECGSymptomsStatus = "ecg_symptoms_status"

/// The title of a document.
public let HKPredicateKeyPathCDATitle = "title"

/// The patient of a document.
public let HKPredicateKeyPathCDAPatientName = "patient_name"

/// The custodian of a document.
public let HKPredicateKeyPathCDACustodianName = "custodian_name"

/// The author of a document.
public let HKPredicateKeyPathCDAAuthorName = "author_name"

/// The identifier of a clinical record.
public let HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier = "FHIRResource.identifier"

/// The type of a clinical record.
public let HKPredicateKeyPathClinicalRecordFHIRResourceType = "FHIRResource.resourceType"

/// The status of a dose.
public let HKPredicateKeyPathStatus = "status"
