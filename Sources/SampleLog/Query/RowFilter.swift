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

/// What rows must satisfy, all of it.
///
/// Ranges let whole blocks be skipped; `condition` is asked for each row that is left.
public struct RowFilter: Sendable {
  /// Where the start date lies.
  public var start = Bounds.all
  /// Where the end date lies.
  public var end = Bounds.all
  /// Where the value lies, given its unit; nil for a unit that no row may have.
  public var value: (@Sendable (Symbol) -> Bounds?)?
  /// Whether a source is wanted.
  public var source: (@Sendable (Symbol) -> Bool)?
  /// The identifiers wanted; nil for any.
  public var ids: Set<Identifier>?
  /// Decides what the other properties cannot express; the block has every column.
  ///
  /// What it throws ends the search.
  public var condition: (@Sendable (Block, Int) throws -> Bool)?

  /// Where the value lies when a block's unit is known to be one.
  var valueBounds: Bounds?

  /// Creates a filter that every row satisfies.
  public init() {}

  /// The columns that deciding needs.
  var columns: ColumnSet {
    var columns: ColumnSet = []
    if !start.isAll { columns.insert(.start) }
    if !end.isAll { columns.insert(.end) }
    if value != nil { columns.formUnion([.value, .unit]) }
    if valueBounds != nil { columns.insert(.value) }
    if source != nil { columns.insert(.source) }
    if ids != nil { columns.insert(.id) }
    if condition != nil { columns = .all }
    return columns
  }
}

extension RowFilter {
  /// Drops the conditions that every row of a block satisfies.
  mutating func settle(_ zone: ZoneMap) {
    if start.contains(zone.minStart, zone.maxStart) { start = .all }
    if end.contains(zone.minEnd, zone.maxEnd) { end = .all }
    if let value, let unit = zone.unit, let bounds = value(unit) {
      valueBounds = bounds
      self.value = nil
    }
    if let source, let only = zone.source, source(only) { self.source = nil }
  }
}

/// The order of selected rows.
public enum RowOrder: Hashable, Sendable {
  /// No particular order, which is the fastest.
  case any
  /// By start date, then sequence number.
  case start(ascending: Bool)
  /// By end date, then sequence number.
  case end(ascending: Bool)
}
