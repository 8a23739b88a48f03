/// The reason for a notification of loud surroundings.
public enum HKCategoryValueEnvironmentalAudioExposureEvent: Int, Sendable,
  HKCategoryValuePredicateProviding
{
  /// The level exceeded the limit momentarily.
  case momentaryLimit = 1
}
