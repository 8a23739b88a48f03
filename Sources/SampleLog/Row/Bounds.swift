/// A closed range of numbers with possibly infinite bounds.
public struct Bounds: Hashable, Sendable {
  /// The lower bound, inclusive.
  public var lower: Double
  /// The upper bound, inclusive.
  public var upper: Double

  /// The range of all numbers.
  public static let all = Bounds(lower: -.infinity, upper: .infinity)

  /// Creates a closed range, which is empty if `lower` is greater than `upper`.
  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Returns the range of numbers greater than or equal to `lower`.
  public static func from(_ lower: Double) -> Bounds { Bounds(lower: lower, upper: .infinity) }

  /// Returns the range of numbers greater than `lower`.
  public static func above(_ lower: Double) -> Bounds { .from(lower.nextUp) }

  /// Returns the range of numbers less than or equal to `upper`.
  public static func through(_ upper: Double) -> Bounds { Bounds(lower: -.infinity, upper: upper) }

  /// Returns the range of numbers less than `upper`.
  public static func below(_ upper: Double) -> Bounds { .through(upper.nextDown) }

  /// Returns the intersection with another range.
  public func intersection(_ other: Bounds) -> Bounds {
    Bounds(lower: max(lower, other.lower), upper: min(upper, other.upper))
  }

  /// Whether the range contains every number.
  @inlinable
  public var isAll: Bool { lower == -.infinity && upper == .infinity }

  /// Returns whether a number is in the range.
  @inlinable
  public func contains(_ number: Double) -> Bool { number >= lower && number <= upper }

  /// Returns whether the range contains all of another range.
  func contains(_ minimum: Double, _ maximum: Double) -> Bool {
    minimum >= lower && maximum <= upper
  }

  /// Returns whether the range intersects another range.
  func intersects(_ minimum: Double, _ maximum: Double) -> Bool {
    maximum >= lower && minimum <= upper
  }
}
