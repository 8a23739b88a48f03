/// The way in which quantities of a type combine over time.
public enum HKQuantityAggregationStyle: Int, Sendable {
  /// Samples add up, such as steps.
  case cumulative = 0

  /// Samples are measured and averaged with equal weight, such as body mass.
  case discreteArithmetic = 1

  /// Samples are averaged with their duration as weight, such as heart rate.
  case discreteTemporallyWeighted = 2

  /// Samples are averaged by sound energy, such as audio exposure.
  case discreteEquivalentContinuousLevel = 3

  /// The old name of ``discreteArithmetic``.
  public static var discrete: Self { .discreteArithmetic }
}
