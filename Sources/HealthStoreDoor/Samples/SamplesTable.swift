import CDoor
import HealthStore
import SampleLog

/// The table `samples`, with every sample of every subject.
struct SamplesTable: Table {
  enum Place: Int, CaseIterable {
    case subject, type, start, end, value, valueName, unit, source, device, metadata, uuid, sequence
  }

  let name = "samples"
  let columns = [
    Column("subject", .text), Column("type", .text), Column("start", .real), Column("end", .real),
    Column("value", .real), Column("value_name", .text), Column("unit", .text),
    Column("source", .text), Column("device", .text), Column("metadata", .text),
    Column("uuid", .text, ignoresCase: true), Column("sequence", .integer),
  ]

  private static let equal: Set<Comparison> = [.equal]
  private static let any: Set<Comparison> = [
    .equal, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]

  func plan(_ query: inout QueryPlan, _ connection: Connection) throws {
    let store = try connection.opened()
    let directory = store.recentDirectory()
    var rows = Double(max(directory.total, 1))
    let subjects = query.use(Place.subject.rawValue, Self.equal)
    let types = query.use(Place.type.rawValue, Self.equal)
    if !types.isEmpty {
      rows *= typeShare(types.map { query.terms[$0] }, store, directory)
    }
    if !subjects.isEmpty {
      rows *= share(subjects.map { query.terms[$0] }, of: directory.subjectCount)
    }
    for place in [Place.start, .end, .value, .sequence] {
      let used = query.use(place.rawValue, Self.any)
      if used.isEmpty { continue }
      // SQLite opens the cursor once for each number of an IN list.
      for index in used { query.terms[index].isList = false }
      rows *= share(used.map { query.terms[$0] }, place, store, directory)
    }
    let identifiers = query.use(Place.uuid.rawValue, Self.equal, ignoresCase: nil)
    // The lookup ignores case, so with another collation SQLite must check the rows again.
    for index in identifiers where !query.terms[index].ignoresCase {
      query.terms[index].isExact = false
    }
    query.isUnique = identifiers.contains { !query.terms[$0].isList }
    if !identifiers.isEmpty { rows = query.isUnique ? 1 : min(rows, 25) }
    query.rows = max(rows, 1)
    // A scan reads at least one block of up to 4,096 rows; a lookup by identifier does not.
    query.cost = identifiers.isEmpty ? 200 + query.rows : 10 * query.rows
    order(&query, subjects, types)
  }

  /// Provides the requested order by start date if the rows belong to one series.
  private func order(_ query: inout QueryPlan, _ subjects: [Int], _ types: [Int]) {
    let isOneSeries = [subjects, types].allSatisfy { numbers in
      numbers.contains { !query.terms[$0].isList }
    }
    guard isOneSeries, let first = query.order.first, first.column == Place.start.rawValue else {
      return
    }
    // Rows with equal start dates are in order of sequence number, in the same direction.
    let rest = query.order.dropFirst().first
    guard
      query.order.count <= 1
        || query.order.count == 2 && rest?.isDescending == first.isDescending
          && (rest?.column == Place.sequence.rawValue || rest?.column == -1)
    else { return }
    query.ordering = first.isDescending ? .descending : .ascending
  }

  private func typeShare(
    _ terms: [QueryPlan.Term], _ store: Store, _ directory: Directory
  ) -> Double {
    let total = Double(max(directory.total, 1))
    var share = 1.0
    for term in terms {
      if case .text(let name) = term.value, let type = store.typeSymbol(name) {
        share = min(share, Double(directory.typeCounts[type] ?? 0) / total)
      } else {
        share = min(share, self.share([term], of: directory.typeCounts.count))
      }
    }
    return share
  }

  private func share(_ terms: [QueryPlan.Term], of count: Int) -> Double {
    let wanted = terms.allSatisfy(\.isList) ? 4.0 : 1
    return min(1, wanted / Double(max(count, 1)))
  }

  /// Returns the estimated fraction of rows within ranges, from zone maps if the bounds are known.
  private func share(
    _ terms: [QueryPlan.Term], _ place: Place, _ store: Store, _ directory: Directory
  ) -> Double {
    let isPoint = terms.contains { $0.comparison == .equal }
    let isClosed = Set(terms.map(\.comparison)).count > 1
    let guess = isPoint ? 1e-4 : isClosed ? 0.02 : 0.3
    guard place == .start, terms.allSatisfy({ $0.value != .unknown && !$0.isList }) else {
      return guess
    }
    var filter = RowFilter()
    for term in terms {
      guard let bounds = Bounds(term.comparison, term.value) else { return 0 }
      filter.start = filter.start.intersection(UnixTime.dates(bounds))
    }
    // The largest series represents all series, because examining the blocks of each is slow.
    guard let largest = directory.largest, let count = directory.counts[largest], count > 0 else {
      return guess
    }
    let found = try? store.database.snapshot().estimatedRowCount(
      SeriesSelection([largest], where: filter))
    return found.map { min(1, Double($0) / Double(count)) } ?? guess
  }

  func open(_ request: CursorRequest, _ connection: Connection) throws -> any TableCursor {
    let store = try connection.opened()
    let snapshot = try connection.snapshot()
    let search = try SampleSearch(request.conditions, store, snapshot)
    return try SamplesCursor(request, search, store, snapshot)
  }
}

extension Store {
  /// The type identifiers by short name.
  private static let identifiers = Dictionary(
    HKSampleType.all.map { ($0.shortName, $0.identifier) }, uniquingKeysWith: { first, _ in first })

  /// Returns the symbol of a type by its name in SQL, or nil if the store has no such symbol.
  func typeSymbol(_ name: String) -> Symbol? {
    let symbols = database.symbols
    if let identifier = Self.identifiers[name] { return symbols.find(Array(identifier.utf8)) }
    guard let symbol = symbols.find(Array(name.utf8)), reader.type(symbol) == nil else {
      return nil
    }
    return symbol
  }

  /// Throws if a name is not the name of a type in SQL.
  func checkType(_ name: String) throws {
    guard typeSymbol(name) == nil else { return }
    guard let type = HKSampleType.named(name) else {
      throw DoorError("There is no type \"\(name)\"; SELECT DISTINCT type FROM samples lists them.")
    }
    guard type.shortName == name else {
      throw DoorError("For the type \"\(name)\", use the name \"\(type.shortName)\".")
    }
  }
}
