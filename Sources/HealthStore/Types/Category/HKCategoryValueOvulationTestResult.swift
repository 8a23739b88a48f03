/// The result of an ovulation test.
public enum HKCategoryValueOvulationTestResult: Int, Sendable, HKCategoryValuePredicateProviding {
  /// No sign of ovulation.
  case negative = 1

  /// A surge of luteinising hormone.
  case luteinizingHormoneSurge = 2

  /// No clear result.
  case indeterminate = 3

  /// A surge of oestrogen.
  case estrogenSurge = 4

  /// The old name of ``luteinizingHormoneSurge``.
  public static var positive: Self { .luteinizingHormoneSurge }
}
