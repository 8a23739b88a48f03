/// A query that aggregates the samples of one type, of all subjects or of some.
public struct AggregateQuery: Sendable {
  /// The attributes by which samples are grouped, in addition to interval and unit.
  public struct Grouping: OptionSet, Hashable, Sendable {
    /// The bit mask of the groupings.
    public let rawValue: UInt8

    /// Creates a set from a bit mask.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Groups by subject.
    public static let subject = Grouping(rawValue: 1 << 0)
    /// Groups by source.
    public static let source = Grouping(rawValue: 1 << 1)
  }

  /// The type of the samples.
  package var type: Symbol
  /// The subjects to include, or nil for all.
  package var subjects: [Symbol]?
  /// The origin of the names that a client passed.
  private var origin = NameOrigin()
  /// The condition that samples must satisfy.
  public var filter = RowFilter()
  /// The interval boundaries, in ascending order, in seconds since 2001-01-01 00:00 UTC.
  ///
  /// Interval *i* extends from boundary *i* up to, but not including, boundary *i* + 1. Samples
  /// that start outside all intervals are ignored. Default: one interval that contains all dates.
  public var boundaries = [-Double.infinity, .infinity]
  /// The attributes by which samples are grouped.
  public var grouping: Grouping = []

  /// Creates a query for the samples of a type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - subjects: The subjects to include, or nil for all.
  public init(type: Name, subjects: [Name]? = nil) {
    self.type = type.number
    self.subjects = subjects?.map(\.number)
    for name in [type] + (subjects ?? []) { origin.add(name.table) }
  }

  /// Creates a query for all samples of a type.
  package init(type: Symbol) { self.type = type }

  /// Throws ``StoreError/invalid(_:)`` if a client passed names of another database.
  func check(_ symbols: SymbolTable) throws { try origin.check(symbols) }
}

/// The aggregate of the samples of one group that start in one interval.
public struct AggregateGroup: Hashable, Sendable {
  /// The index of the interval in the query.
  public var interval: Int
  package var subject: Symbol?
  package var source: Symbol?
  package var unit: Symbol
  /// The count, sum, minimum and maximum of the values.
  public var aggregate: Aggregate
  /// The number of the symbol table that the symbols belong to.
  var table: UInt32

  /// The subject of the samples, or nil if the query does not group by subject.
  public var subjectName: Name? { subject.map { Name($0, of: table) } }
  /// The source of the samples, or nil if the query does not group by source.
  public var sourceName: Name? { source.map { Name($0, of: table) } }
  /// The unit of the values; samples with different units are in different groups.
  public var unitName: Name { Name(unit, of: table) }
}
