/// The count, sum, minimum and maximum of a set of values.
public struct Aggregate: Hashable, Sendable {
  /// The number of samples.
  public var count = 0
  /// The sum of the values.
  public var sum = 0.0
  /// The least value, or infinity if there are no samples.
  public var minimum = Double.infinity
  /// The greatest value, or negative infinity if there are no samples.
  public var maximum = -Double.infinity

  /// Creates the aggregate of no samples.
  public init() {}

  /// The arithmetic mean, or nil if there are no samples.
  public var average: Double? { count == 0 ? nil : sum / Double(count) }

  /// Adds a value.
  @inlinable @inline(__always)
  package mutating func add(_ value: Double) {
    count += 1
    sum += value
    minimum = min(minimum, value)
    maximum = max(maximum, value)
  }

  /// Merges another aggregate.
  package mutating func add(_ other: Aggregate) {
    count += other.count
    sum += other.sum
    minimum = min(minimum, other.minimum)
    maximum = max(maximum, other.maximum)
  }
}
