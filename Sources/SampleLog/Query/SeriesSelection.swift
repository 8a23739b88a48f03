/// The series that a query reads, and the filter for each.
public struct SeriesSelection: Sendable {
  /// The series to read, or nil for all.
  package let series: [SeriesKey]?
  /// The origin of the series that a client passed.
  private var origin = NameOrigin()
  /// One filter for all series, or one for each of ``series``.
  let filters: [RowFilter]
  /// The index of each series' filter in `filters`; empty if all share one.
  private let numbers: [SeriesKey: Int]

  // Shared, because a paged feed creates a selection for each page.
  private static let unfiltered = [RowFilter()]

  /// Selects all series, with one filter.
  public init(where filter: RowFilter = RowFilter()) { self.init(nil, where: filter) }

  /// Selects some series, with one filter.
  ///
  /// - Parameters:
  ///   - series: The series to read.
  ///   - filter: The condition that rows must satisfy.
  public init(_ series: [Series], where filter: RowFilter = RowFilter()) {
    var origin = NameOrigin()
    let keys = series.map { one in
      origin.add(one.table)
      return one.key
    }
    self.init(keys, where: filter)
    self.origin = origin
  }

  /// Selects some series, each with its own filter.
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
    self.init(filters.map { ($0.key, $0.value) })
  }

  /// Creates a selection of distinct series, each with its own filter.
  package init(_ filters: [(key: SeriesKey, value: RowFilter)]) {
    guard filters.count > 1 else {
      series = filters.map(\.key)
      let isTrivial = filters.allSatisfy { $0.value.isTrivial }
      self.filters = isTrivial ? Self.unfiltered : filters.map(\.value)
      numbers = [:]
      return
    }
    let parts = filters.sorted { $0.key < $1.key }
    series = parts.map(\.key)
    guard !parts.allSatisfy({ $0.value.isTrivial }) else {
      self.filters = Self.unfiltered
      numbers = [:]
      return
    }
    self.filters = parts.map(\.value)
    numbers = Dictionary(uniqueKeysWithValues: parts.enumerated().map { ($1.key, $0) })
  }

  /// Throws ``StoreError/invalid(_:)`` if a client passed series of another database.
  func check(_ symbols: SymbolTable) throws { try origin.check(symbols) }

  /// Returns the index of a series' filter in `filters`.
  func number(of key: SeriesKey) -> Int { numbers.isEmpty ? 0 : numbers[key] ?? 0 }

  /// Returns the filter for a series.
  package func filter(for key: SeriesKey) -> RowFilter { filters[number(of: key)] }

  /// Whether a filter can exclude a row.
  var isFiltered: Bool { !filters.allSatisfy(\.isTrivial) }

  /// The identifiers of each filter, or nil if a filter has none or more than 1,024.
  var fewIdentifiers: [Set<Identifier>]? {
    let sets = filters.compactMap(\.ids)
    return sets.count == filters.count && sets.allSatisfy { $0.count <= 1024 } ? sets : nil
  }
}

extension RowFilter {
  /// Whether every row satisfies the filter.
  var isTrivial: Bool { columns.isEmpty }
}
