/// A classification of a night's breathing disturbances.
///
/// Apple does not document its threshold. Here it is 15, the bound at which the apnoea-hypopnoea
/// index classifies an apnoea as moderate.
public enum HKAppleSleepingBreathingDisturbancesClassification: Int, CaseIterable, Sendable {
  /// Within the normal range.
  case notElevated = 0

  /// Above the normal range.
  case elevated = 1

  /// Classifies a number of disturbances.
  ///
  /// Returns nil if it is negative or not a count.
  public init?(classifying appleSleepingBreathingDisturbances: HKQuantity) {
    guard appleSleepingBreathingDisturbances.is(compatibleWith: .count()) else { return nil }
    let count = appleSleepingBreathingDisturbances.doubleValue(for: .count())
    guard count >= 0 else { return nil }
    self = count >= Self.bound ? .elevated : .notElevated
  }

  /// The inclusive lower bound of the class.
  public var minimum: HKQuantity {
    HKQuantity(unit: .count(), doubleValue: self == .elevated ? Self.bound : 0)
  }

  private static let bound = 15.0
}
