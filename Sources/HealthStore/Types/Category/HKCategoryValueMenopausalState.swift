/// The menopausal state at a date.
///
/// Apple publishes the names; the numbers are ours.
public enum HKCategoryValueMenopausalState: Int, Sendable, HKCategoryValuePredicateProviding {
  /// Menopause.
  case menopause = 1

  /// The time before menopause.
  case perimenopause = 2

  /// Confirmed to be neither of them.
  case none = 3
}
