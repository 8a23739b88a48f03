/// The reason for a notification of loud headphones.
public enum HKCategoryValueHeadphoneAudioExposureEvent: Int, Sendable,
  HKCategoryValuePredicateProviding
{
  /// The exposure over seven days exceeded the limit.
  case sevenDayLimit = 1
}
