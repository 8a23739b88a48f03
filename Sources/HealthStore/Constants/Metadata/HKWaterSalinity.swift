/// Whether water was fresh or salt.
public enum HKWaterSalinity: Int, Sendable {
  /// Fresh water.
  case freshWater = 1

  /// Salt water.
  case saltWater = 2
}
