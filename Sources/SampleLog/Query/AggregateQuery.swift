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
  public var type: Symbol
  /// Whose samples count; nil for everybody's.
  public var subjects: [Symbol]?
  /// What samples must satisfy.
  public var filter = RowFilter()
  /// Rising dates; interval *i* is from boundary *i* up to boundary *i* + 1, and samples that start
  /// elsewhere do not count.
  public var boundaries = [-Double.infinity, .infinity]
  /// By what samples are grouped.
  public var grouping: Grouping = []

  /// Asks for all samples of a type.
  public init(type: Symbol) { self.type = type }
}

/// What the samples of one group that start in one interval come to.
public struct AggregateGroup: Hashable, Sendable {
  /// The interval's position among those of the query.
  public var interval: Int
  /// Whose the samples are; nil unless subjects are told apart.
  public var subject: Symbol?
  /// Where they come from; nil unless sources are told apart.
  public var source: Symbol?
  /// The unit of their values; samples in different units are in different groups.
  public var unit: Symbol
  /// Their count, sum, least and greatest value.
  public var aggregate: Aggregate
}
