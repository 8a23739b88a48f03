/// Whether a night's disturbances of breathing are elevated.
///
/// Apple does not publish the number at which they are. Here it is 15, from which on the apnoea and
/// hypopnoea index calls an apnoea moderate.
public enum HKAppleSleepingBreathingDisturbancesClassification: Int, CaseIterable, Sendable {
  /// As few as most people have.
  case notElevated = 0

  /// More than that.
  case elevated = 1

  /// The class of a number of disturbances; nil when it is no count or is negative.
  public init?(classifying appleSleepingBreathingDisturbances: HKQuantity) {
    guard appleSleepingBreathingDisturbances.is(compatibleWith: .count()) else { return nil }
    let count = appleSleepingBreathingDisturbances.doubleValue(for: .count())
    guard count >= 0 else { return nil }
    self = count >= Self.bound ? .elevated : .notElevated
  }

  /// The lowest number of the class, which belongs to it.
  public var minimum: HKQuantity {
    HKQuantity(unit: .count(), doubleValue: self == .elevated ? Self.bound : 0)
  }

  private static let bound = 15.0
}
