/// Why a notice of low cardio fitness was given.
public enum HKCategoryValueLowCardioFitnessEvent: Int, Sendable, HKCategoryValuePredicateProviding {
  /// The fitness is low.
  case lowFitness = 1
}
