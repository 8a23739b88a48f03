/// Why a notice of loud headphones was given.
public enum HKCategoryValueHeadphoneAudioExposureEvent: Int, Sendable,
  HKCategoryValuePredicateProviding
{
  /// The exposure of seven days was too high.
  case sevenDayLimit = 1
}
