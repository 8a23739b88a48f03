/// Why a notice of loud surroundings was given.
public enum HKCategoryValueEnvironmentalAudioExposureEvent: Int, Sendable,
  HKCategoryValuePredicateProviding
{
  /// The level was too high for a moment.
  case momentaryLimit = 1
}
