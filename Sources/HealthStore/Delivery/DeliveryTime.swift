/// The current time of two clocks: monotonic time for timers, and wall-clock time for persisted
/// state.
struct DeliveryTime {
  /// The monotonic time in seconds.
  var uptime: Double
  /// The wall-clock time in seconds since 2001-01-01 00:00 UTC.
  var date: Double
}

extension HKUpdateFrequency {
  /// The minimum time between two deliveries, in seconds.
  var period: Double {
    switch self {
    case .immediate: 0
    case .hourly: 3600
    case .daily: 86_400
    case .weekly: 604_800
    }
  }
}
