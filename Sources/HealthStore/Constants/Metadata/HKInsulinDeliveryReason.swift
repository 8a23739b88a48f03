/// Why insulin was delivered.
public enum HKInsulinDeliveryReason: Int, Sendable {
  /// The steady supply between meals.
  case basal = 1

  /// The dose for a meal or a correction.
  case bolus = 2
}
