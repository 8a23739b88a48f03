/// A conjunction of conditions on rows.
///
/// Ranges let a query skip whole blocks; `condition` is evaluated for each remaining row.
public struct RowFilter: Sendable {
  /// The range of the start date, in seconds since 2001-01-01 00:00 UTC.
  public var start = Bounds.all
  /// The range of the end date, in seconds since 2001-01-01 00:00 UTC.
  public var end = Bounds.all
  /// The bounds of the value, given its unit; nil if no row with that unit matches.
  package var value: (@Sendable (Symbol) -> Bounds?)?
  /// A predicate on the source, or nil to match any source.
  package var source: (@Sendable (Symbol) -> Bool)?
  /// The identifiers to match, or nil for any.
  public var ids: Set<Identifier>?
  /// A condition that the other properties cannot express; receives blocks with
  /// ``conditionColumns``.
  ///
  /// An error that it throws ends the query.
  package var condition: (@Sendable (Block, Int) throws -> Bool)?
  /// The columns that the condition reads; default: all.
  package var conditionColumns = ColumnSet.all

  /// The bounds of the value, once the unit of all rows is known.
  var valueBounds: Bounds?

  /// Creates a filter that every row satisfies.
  public init() {}

  /// Requires values to lie within bounds, regardless of their unit.
  public mutating func require(value bounds: Bounds) {
    value = { [value] unit in
      guard let value else { return bounds }
      return value(unit)?.intersection(bounds)
    }
  }

  /// Adds a condition that the other properties cannot express.
  ///
  /// - Parameter isIncluded: Returns whether a row satisfies the filter. It is evaluated last, for
  ///   rows that satisfy all other conditions, and on several threads. An error that it throws ends
  ///   the query.
  public mutating func require(_ isIncluded: @escaping @Sendable (Row) throws -> Bool) {
    condition = { [condition] block, row in
      try condition?(block, row) != false && isIncluded(Row(block, row))
    }
    conditionColumns = .all
  }

  /// The columns that the filter reads.
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
  /// Removes the conditions that every row of a block satisfies according to its zone map.
  mutating func simplify(for zone: ZoneMap) {
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
///
/// A descending order is the exact reverse of the ascending one.
public enum RowOrder: Hashable, Sendable {
  /// No particular order; the fastest option.
  case any
  /// By start date, then sequence number.
  case start(ascending: Bool)
  /// By end date, then sequence number.
  case end(ascending: Bool)

  /// Whether the latest rows come first.
  var isDescending: Bool {
    switch self {
    case .any: false
    case .start(let isAscending), .end(let isAscending): !isAscending
    }
  }
}
