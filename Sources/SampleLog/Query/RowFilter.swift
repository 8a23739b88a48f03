/// What rows must satisfy, all of it.
///
/// Ranges let whole blocks be skipped; `condition` is asked for each row that is left.
public struct RowFilter: Sendable {
  /// The range of the start date, in seconds since 2001-01-01 00:00 UTC.
  public var start = Bounds.all
  /// The range of the end date, in seconds since 2001-01-01 00:00 UTC.
  public var end = Bounds.all
  /// Where the value lies, given its unit; nil for a unit that no row may have.
  package var value: (@Sendable (Symbol) -> Bounds?)?
  /// Whether a source is wanted.
  package var source: (@Sendable (Symbol) -> Bool)?
  /// The identifiers wanted; nil for any.
  public var ids: Set<Identifier>?
  /// Decides what the other properties cannot express; the block has ``conditionColumns``.
  ///
  /// What it throws ends the search.
  package var condition: (@Sendable (Block, Int) throws -> Bool)?
  /// The columns that the condition reads, if its author says so.
  package var conditionColumns = ColumnSet.all

  /// Where the value lies when a block's unit is known to be one.
  var valueBounds: Bounds?

  /// Creates a filter that every row satisfies.
  public init() {}

  /// Adds a range that the values lie in, whatever their units.
  public mutating func require(value bounds: Bounds) {
    value = { [value] unit in
      guard let value else { return bounds }
      return value(unit)?.intersection(bounds)
    }
  }

  /// Adds a condition that the other properties cannot express.
  ///
  /// - Parameter isIncluded: Decides whether a row satisfies the filter. It is asked last, for the
  ///   rows that satisfy the rest, and on several threads. What it throws ends the search.
  public mutating func require(_ isIncluded: @escaping @Sendable (Row) throws -> Bool) {
    condition = { [condition] block, row in
      try condition?(block, row) != false && isIncluded(Row(block, row))
    }
    conditionColumns = .all
  }

  /// The columns that deciding needs.
  var columns: ColumnSet {
    var columns: ColumnSet = []
    if !start.isAll { columns.insert(.start) }
    if !end.isAll { columns.insert(.end) }
    if value != nil { columns.formUnion([.value, .unit]) }
    if valueBounds != nil { columns.insert(.value) }
    if source != nil { columns.insert(.source) }
    if ids != nil { columns.insert(.id) }
    if condition != nil { columns.formUnion(conditionColumns) }
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
