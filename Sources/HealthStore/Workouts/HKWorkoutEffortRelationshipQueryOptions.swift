/// The samples of a relationship that a query returns.
public enum HKWorkoutEffortRelationshipQueryOptions: Int, Sendable {
  /// All samples.
  case `default` = 0
  /// One sample: the latest rating by the subject, or else the latest estimate.
  case mostRelevant = 1
}
