/// The menopausal state at a date.
///
/// Apple publishes only the names; the raw values are specific to this library.
public enum HKCategoryValueMenopausalState: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Menopause.
  case menopause = 1

  /// The time before menopause.
  case perimenopause = 2

  /// Confirmed to be neither.
  case none = 3
}
