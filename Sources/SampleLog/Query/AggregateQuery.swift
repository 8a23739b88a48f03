/// What to count and add up of the samples of one type, of everybody or of some people.
public struct AggregateQuery: Sendable {
  /// By what samples are grouped, besides dates and units.
  public struct Grouping: OptionSet, Hashable, Sendable {
    /// One bit for each of the groupings.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whose the samples are.
    public static let subject = Grouping(rawValue: 1 << 0)
    /// Where the samples come from.
    public static let source = Grouping(rawValue: 1 << 1)
  }

  /// The type of the samples.
  package var type: Symbol
  /// Whose samples count; nil for everybody's.
  package var subjects: [Symbol]?
  /// Where names that a client gave are from.
  private var origin = NameOrigin()
  /// What samples must satisfy.
  public var filter = RowFilter()
  /// Rising dates, in seconds since 2001-01-01 00:00 UTC; interval *i* is from boundary *i* up to
  /// boundary *i* + 1, and samples that start elsewhere do not count.
  public var boundaries = [-Double.infinity, .infinity]
  /// By what samples are grouped.
  public var grouping: Grouping = []

  /// Asks for the samples of a type.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - subjects: The subjects whose samples count; nil for all.
  public init(type: Name, subjects: [Name]? = nil) {
    self.type = type.number
    self.subjects = subjects?.map(\.number)
    for name in [type] + (subjects ?? []) { origin.add(name.table) }
  }

  /// Asks for all samples of a type.
  package init(type: Symbol) { self.type = type }

  /// Throws ``StoreError/invalid(_:)`` if a client gave names of another database.
  func check(_ symbols: SymbolTable) throws { try origin.check(symbols) }
}

/// What the samples of one group that start in one interval come to.
public struct AggregateGroup: Hashable, Sendable {
  /// The interval's position among those of the query.
  public var interval: Int
  package var subject: Symbol?
  package var source: Symbol?
  package var unit: Symbol
  /// Their count, sum, least and greatest value.
  public var aggregate: Aggregate
  /// The number of the table that the symbols are from.
  var table: UInt32

  /// The subject of the samples; nil unless subjects are told apart.
  public var subjectName: Name? { subject.map { Name($0, of: table) } }
  /// The source of the samples; nil unless sources are told apart.
  public var sourceName: Name? { source.map { Name($0, of: table) } }
  /// The unit of their values; samples in different units are in different groups.
  public var unitName: Name { Name(unit, of: table) }
}
