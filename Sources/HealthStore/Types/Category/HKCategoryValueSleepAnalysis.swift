/// The values of sleep analysis.
public enum HKCategoryValueSleepAnalysis: Int, Sendable, HKCategoryValuePredicateProviding {
  /// In bed, asleep or not.
  case inBed = 0

  /// Asleep, in an unknown stage.
  case asleepUnspecified = 1

  /// Awake.
  case awake = 2

  /// In light or intermediate sleep.
  case asleepCore = 3

  /// In deep sleep.
  case asleepDeep = 4

  /// In REM sleep.
  case asleepREM = 5

  /// The old name of ``asleepUnspecified``.
  public static var asleep: Self { .asleepUnspecified }

  /// All values for being asleep.
  public static var allAsleepValues: Set<HKCategoryValueSleepAnalysis> {
    [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM]
  }
}
