/// What time it is: for what happens within this process, and for what is kept beyond it.
struct DeliveryTime {
  /// In seconds by a clock that never goes back.
  var uptime: Double
  /// In seconds since 2001-01-01T00:00:00Z.
  var date: Double
}

extension HKUpdateFrequency {
  /// The time from one delivery to the next at least, in seconds.
  var period: Double {
    switch self {
    case .immediate: 0
    case .hourly: 3600
    case .daily: 86_400
    case .weekly: 604_800
    }
  }
}
