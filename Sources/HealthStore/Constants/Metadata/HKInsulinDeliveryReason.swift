/// The reason for an insulin delivery.
public enum HKInsulinDeliveryReason: Int, Sendable {
  /// Basal: the steady supply between meals.
  case basal = 1

  /// Bolus: the dose for a meal or a correction.
  case bolus = 2
}
