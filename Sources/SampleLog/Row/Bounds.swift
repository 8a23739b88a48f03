/// A closed range of numbers; its ends may be infinite.
public struct Bounds: Hashable, Sendable {
  /// The least number in the range.
  public var lower: Double
  /// The greatest number in the range.
  public var upper: Double

  /// Every number.
  public static let all = Bounds(lower: -.infinity, upper: .infinity)

  /// Creates a closed range; it is empty when the lower end is above the upper.
  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// Numbers from a number on.
  public static func from(_ lower: Double) -> Bounds { Bounds(lower: lower, upper: .infinity) }

  /// Numbers above a number.
  public static func above(_ lower: Double) -> Bounds { .from(lower.nextUp) }

  /// Numbers up to a number.
  public static func through(_ upper: Double) -> Bounds { Bounds(lower: -.infinity, upper: upper) }

  /// Numbers below a number.
  public static func below(_ upper: Double) -> Bounds { .through(upper.nextDown) }

  /// The numbers in both ranges.
  public func intersection(_ other: Bounds) -> Bounds {
    Bounds(lower: max(lower, other.lower), upper: min(upper, other.upper))
  }

  /// Whether no number is excluded.
  @inlinable
  public var isAll: Bool { lower == -.infinity && upper == .infinity }

  /// Whether a number is in the range.
  @inlinable
  public func contains(_ number: Double) -> Bool { number >= lower && number <= upper }

  /// Whether every number of another range is in this one.
  func contains(_ minimum: Double, _ maximum: Double) -> Bool {
    minimum >= lower && maximum <= upper
  }

  /// Whether a number of another range is in this one.
  func intersects(_ minimum: Double, _ maximum: Double) -> Bool {
    maximum >= lower && minimum <= upper
  }
}
