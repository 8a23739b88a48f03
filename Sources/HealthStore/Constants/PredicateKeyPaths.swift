// Property names for predicate formats.

/// The identifier of an object.
public let HKPredicateKeyPathUUID = "UUID"

/// The source of an object.
public let HKPredicateKeyPathSource = "source"

/// The source revision of an object.
public let HKPredicateKeyPathSourceRevision = "sourceRevision"

/// The device of an object.
public let HKPredicateKeyPathDevice = "device"

/// The metadata of an object.
public let HKPredicateKeyPathMetadata = "metadata"

/// The correlation that contains an object.
public let HKPredicateKeyPathCorrelation = "correlation"

/// The workout that an object is linked to.
public let HKPredicateKeyPathWorkout = "workout"

/// The workout that an effort score rates.
public let HKPredicateKeyPathWorkoutEffortRelationship = "ratingOfExertionAssociation"

/// The start of a sample.
public let HKPredicateKeyPathStartDate = "startDate"

/// The end of a sample.
public let HKPredicateKeyPathEndDate = "endDate"

/// The value of a category sample.
public let HKPredicateKeyPathCategoryValue = "value"

/// The quantity of a sample.
public let HKPredicateKeyPathQuantity = "quantity"

/// The number of quantities of a sample.
public let HKPredicateKeyPathCount = "count"

/// The sum of a cumulative sample.
public let HKPredicateKeyPathSum = "quantity"

/// The average of a discrete sample.
public let HKPredicateKeyPathAverage = "quantity"

/// The minimum quantity of a discrete sample.
public let HKPredicateKeyPathMin = "min"

/// The maximum quantity of a discrete sample.
public let HKPredicateKeyPathMax = "max"

/// The most recent quantity of a discrete sample.
public let HKPredicateKeyPathMostRecent = "most_recent"

/// The start of the most recent quantity of a discrete sample.
public let HKPredicateKeyPathMostRecentStartDate = "most_recent_start_date"

/// The end of the most recent quantity of a discrete sample.
public let HKPredicateKeyPathMostRecentEndDate = "most_recent_end_date"

/// The duration of the most recent quantity of a discrete sample.
public let HKPredicateKeyPathMostRecentDuration = "most_recent_duration"

/// The day of an activity summary.
public let HKPredicateKeyPathDateComponents = "dateComponents"
