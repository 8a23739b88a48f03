/// The reason for a notification of low cardio fitness.
public enum HKCategoryValueLowCardioFitnessEvent: Int, Sendable, HKCategoryValuePredicateProviding {
  /// The fitness is low.
  case lowFitness = 1
}
