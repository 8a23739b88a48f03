import CDoor
import SampleLog

/// Converts between the dates of a store, in seconds since 2001-01-01 00:00 UTC, and those of SQL,
/// in seconds since 1970.
enum UnixTime {
  /// Returns the seconds since 1970, rounded as in the columns of SQL.
  static func unix(_ date: Double) -> Double { date + DOOR_EPOCH }

  /// Returns the range of dates whose seconds since 1970 lie within bounds.
  ///
  /// The result is exact, although rounding maps several dates to the same number in SQL.
  static func dates(_ unix: Bounds) -> Bounds {
    if unix.isEmpty { return unix }
    return Bounds(
      lower: unix.lower == -.infinity
        ? -.infinity : first { self.unix($0) >= unix.lower } ?? .infinity,
      upper: unix.upper == .infinity
        ? .infinity : first { self.unix($0) > unix.upper }?.nextDown ?? .infinity)
  }

  /// Returns the least number that satisfies a monotonic condition, or nil if no number does.
  private static func first(_ condition: (Double) -> Bool) -> Double? {
    var low = position(-.infinity)
    var high = position(.infinity)
    if condition(-.infinity) { return -.infinity }
    if !condition(.infinity) { return nil }
    while low + 1 < high {
      // Averages without the overflow of `low + high`.
      let middle = (low >> 1) + (high >> 1) + (low & high & 1)
      if condition(number(middle)) { high = middle } else { low = middle }
    }
    return number(high)
  }

  /// Returns the position of a number among all numbers in ascending order.
  private static func position(_ number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    return bits < 0 ? Int64.min &- bits : bits
  }

  private static func number(_ position: Int64) -> Double {
    Double(
      bitPattern: UInt64(bitPattern: position < 0 ? Int64.min &- position : position))
  }
}
