/// Count, sum, least and greatest of some values.
public struct Aggregate: Hashable, Sendable {
  /// How many samples.
  public var count = 0
  /// The sum of their values.
  public var sum = 0.0
  /// The least value; infinity when there is none.
  public var minimum = Double.infinity
  /// The greatest value; minus infinity when there is none.
  public var maximum = -Double.infinity

  /// Creates the aggregate of nothing.
  public init() {}

  /// The arithmetic mean; nil when there is no sample.
  public var average: Double? { count == 0 ? nil : sum / Double(count) }

  /// Adds a value.
  @inlinable @inline(__always)
  package mutating func add(_ value: Double) {
    count += 1
    sum += value
    minimum = min(minimum, value)
    maximum = max(maximum, value)
  }

  /// Adds what is known of other values.
  package mutating func add(_ other: Aggregate) {
    count += other.count
    sum += other.sum
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
  }
}
