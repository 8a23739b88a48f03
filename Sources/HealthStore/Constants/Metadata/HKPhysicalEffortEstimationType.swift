/// The method of estimating a physical effort.
public enum HKPhysicalEffortEstimationType: Int, Sendable {
  /// From a table, by activity.
  case activityLookup = 1

  /// Sensed by a device.
  case deviceSensed = 2
}
