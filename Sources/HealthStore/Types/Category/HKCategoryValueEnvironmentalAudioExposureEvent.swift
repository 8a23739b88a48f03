/// The reason for a notification of loud surroundings.
public enum HKCategoryValueEnvironmentalAudioExposureEvent: Int, Sendable,
  HKCategoryValuePredicateProviding
{
  /// The level was too high for a moment.
  case momentaryLimit = 1
}
