import SampleLog

/// A table that computes its rows when a cursor opens, and that can be restricted to subjects.
protocol ListTable: Table {
  /// The index of the subject column.
  var subjectColumn: Int { get }

  /// Returns the rows of the given subjects, or of all subjects if `subjects` is nil.
  func list(
    _ request: CursorRequest, subjects: Set<String>?, _ store: Store, _ snapshot: Snapshot
  ) throws -> List
}

extension ListTable {
  var subjectColumn: Int { 0 }

  func plan(_ query: inout QueryPlan, _ connection: Connection) throws {
    let isOfOne = !query.use(subjectColumn, [.equal]).isEmpty
    query.rows = isOfOne ? 100 : 1000
    query.cost = isOfOne ? 1e4 : 1e6
  }

  func open(_ request: CursorRequest, _ connection: Connection) throws -> any TableCursor {
    let (store, snapshot) = (try connection.opened(), try connection.snapshot())
    return ListCursor(
      try list(request, subjects: request.texts(of: subjectColumn), store, snapshot))
  }
}

extension CursorRequest {
  /// Returns the texts that a column may equal, or nil if the query does not constrain it.
  func texts(of column: Int) -> Set<String>? {
    var found: Set<String>?
    for condition in conditions where condition.column == column {
      found = found?.intersection(condition.texts) ?? Set(condition.texts)
    }
    return found
  }

  /// Returns the text of an argument, or nil if it is absent or NULL.
  ///
  /// - Throws: A ``DoorError`` if the argument has several texts.
  func argument(_ column: Int, _ name: String) throws -> String? {
    guard let texts = texts(of: column) else { return nil }
    if texts.count <= 1 { return texts.first }
    throw DoorError("The argument \(name) has more than one value.")
  }
}

extension Store {
  /// Returns the series of the given subjects, or of all subjects, whose type satisfies `isWanted`.
  ///
  /// The series are sorted by subject name and then by type.
  func series(
    of subjects: Set<String>?, _ snapshot: Snapshot, where isWanted: (Symbol) -> Bool
  ) -> [(subject: String, key: SeriesKey)] {
    let symbols = database.symbols
    let keys: [SeriesKey]
    if let subjects {
      keys = subjects.compactMap { symbols.find(Array($0.utf8)) }.flatMap { subject in
        snapshot.series(of: subject).filter { !symbols.isChildType($0.type) }
      }
    } else {
      keys = directory(of: snapshot).series
    }
    return keys.filter { isWanted($0.type) }.map { (symbols.text($0.subject), $0) }
      .sorted { ($0.subject, $0.key.type) < ($1.subject, $1.key.type) }
  }
}
