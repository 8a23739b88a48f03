/// The reason for a notification of loud headphones.
public enum HKCategoryValueHeadphoneAudioExposureEvent: Int, Sendable,
  HKCategoryValuePredicateProviding
{
  /// The exposure of seven days was too high.
  case sevenDayLimit = 1
}
