/// A column of times rounded to microseconds, and a column of exact times where they differ.
struct TimeColumn {
  /// Microseconds since 1970-01-01 00:00 UTC.
  ///
  /// Null if the time is not finite or has a magnitude of more than 2⁶² microseconds, about 146,000
  /// years.
  private(set) var rounded = ValueColumn<Int64>()
  /// Seconds since 2001-01-01 00:00 UTC; null if the rounded time converts to the same number.
  private(set) var exact = ValueColumn<Double>()

  /// The microseconds from 1970 to 2001.
  static let epoch: Int64 = 978_307_200_000_000

  /// Appends a time in seconds since 2001-01-01 00:00 UTC.
  @inline(__always)
  mutating func append(_ seconds: Double) {
    let scaled = (seconds * 1e6).rounded()
    guard scaled.magnitude < 0x1p62 else {
      rounded.appendNull()
      exact.append(seconds)
      return
    }
    let microseconds = Int64(scaled)
    rounded.append(microseconds + Self.epoch)
    // Docs/tool.md tells readers to compute this quotient.
    let isExact = (Double(microseconds) / 1e6).bitPattern == seconds.bitPattern
    if isExact { exact.appendNull() } else { exact.append(seconds) }
  }

  mutating func appendNull() {
    rounded.appendNull()
    exact.appendNull()
  }

  mutating func removeAll() {
    rounded.removeAll()
    exact.removeAll()
  }
}
