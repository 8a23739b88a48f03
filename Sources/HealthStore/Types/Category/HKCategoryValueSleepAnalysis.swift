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

  /// In sleep with rapid eye movement.
  case asleepREM = 5

  /// The old name of ``asleepUnspecified``.
  public static var asleep: Self { .asleepUnspecified }

  /// The values that mean some kind of sleep.
  public static var allAsleepValues: Set<HKCategoryValueSleepAnalysis> {
    [.asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM]
  }
}
