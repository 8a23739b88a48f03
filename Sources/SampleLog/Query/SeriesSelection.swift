/// Which series to read, and what the rows of each must satisfy.
public struct SeriesSelection: Sendable {
  /// The subjects and types to read; nil for all.
  package let series: [SeriesKey]?
  /// Where series that a client gave are from.
  private var origin = NameOrigin()
  /// One filter for all series, or one for each of ``series``.
  let filters: [RowFilter]
  /// Where in `filters` a series' own is; empty when all share one.
  private let numbers: [SeriesKey: Int]

  // A feed that is read page by page makes a selection for each.
  private static let unfiltered = [RowFilter()]

  /// Selects all series by one filter.
  public init(where filter: RowFilter = RowFilter()) { self.init(nil, where: filter) }

  /// Selects series by one filter.
  ///
  /// - Parameters:
  ///   - series: The series to read.
  ///   - filter: What the rows must satisfy.
  public init(_ series: [Series], where filter: RowFilter = RowFilter()) {
    self.init(series.map(\.key), where: filter)
    for one in series { origin.add(one.table) }
  }

  /// Selects series by a filter for each.
  public init(_ filters: [Series: RowFilter]) {
    self.init(
      Dictionary(filters.map { ($0.key.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
    for one in filters.keys { origin.add(one.table) }
  }

  package init(_ series: [SeriesKey]?, where filter: RowFilter = RowFilter()) {
    self.series = series
    filters = filter.isTrivial ? Self.unfiltered : [filter]
    numbers = [:]
  }

  package init(_ filters: [SeriesKey: RowFilter]) {
    let parts = filters.sorted { $0.key < $1.key }
    series = parts.map(\.key)
    guard parts.count > 1, !parts.allSatisfy({ $0.value.isTrivial }) else {
      self.filters = parts.first.map { [$0.value] } ?? Self.unfiltered
      numbers = [:]
      return
    }
    self.filters = parts.map(\.value)
    numbers = Dictionary(uniqueKeysWithValues: parts.enumerated().map { ($1.key, $0) })
  }

  /// Throws ``StoreError/invalid(_:)`` if a client gave series of another database.
  func check(_ symbols: SymbolTable) throws { try origin.check(symbols) }

  /// Where in `filters` the one for a series is.
  func number(of key: SeriesKey) -> Int { numbers.isEmpty ? 0 : numbers[key] ?? 0 }

  /// What the rows of a series must satisfy.
  package func filter(for key: SeriesKey) -> RowFilter { filters[number(of: key)] }

  /// Whether a filter may leave out a row.
  var isFiltered: Bool { !filters.allSatisfy(\.isTrivial) }

  /// The identifiers that each filter names; nil when one names none, or more than a thousand.
  var fewIdentifiers: [Set<Identifier>]? {
    let sets = filters.compactMap(\.ids)
    return sets.count == filters.count && sets.allSatisfy { $0.count <= 1024 } ? sets : nil
  }
}

extension RowFilter {
  /// Whether every row satisfies the filter.
  var isTrivial: Bool { columns.isEmpty }
}
