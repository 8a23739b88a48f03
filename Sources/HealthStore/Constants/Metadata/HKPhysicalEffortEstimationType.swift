/// How a physical effort was estimated.
public enum HKPhysicalEffortEstimationType: Int, Sendable {
  /// Looked up by activity.
  case activityLookup = 1

  /// Sensed by a device.
  case deviceSensed = 2
}
