extension Snapshot {
  /// Finds the live rows that belong to a row.
  ///
  /// - Parameters:
  ///   - owner: The row, which need not be alive any more.
  ///   - type: Of which ``OwnedType``; nil for all of them.
  /// - Returns: The rows, by type and in the order in which they were saved.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when one cannot be read.
  /// - Complexity: Reads what owners with the same dates own.
  package func rows(
    ownedBy owner: Row, of type: Symbol? = nil
  ) throws -> [Row] {
    var found: [Row] = []
    try forEachRow(ownedBy: owner, of: type) { found.append($0) }
    return found.count > 1
      ? found.sorted { ($0.block.type, $0.sequence) < ($1.block.type, $1.sequence) } : found
  }

  /// The same, one after the other, with one block in memory at a time.
  package func forEachRow(
    ownedBy owner: Row, of type: Symbol? = nil, _ body: (Row) throws -> Void
  ) throws {
    let types = symbols.types(ownedBy: owner.block.type)
    if types.isEmpty { return }
    var filter = RowFilter()
    let (start, end) = (owner.block.start[owner.row], owner.block.end[owner.row])
    filter.start = Bounds(lower: start, upper: start)
    filter.end = Bounds(lower: end, upper: end)
    // With a range of values, though it is all of them, extras are read of the rows found only.
    filter.value = { _ in .all }
    var rows: [Int32] = []
    for one in types where type == nil || type == one {
      // In the order in which they were saved, and not of their dates, which are the same.
      for source in sources(SeriesKey(subject: owner.subject, type: one), filter) {
        guard let block = try select(from: source, [filter], isCached: false, &rows) else {
          continue
        }
        for row in rows.map({ Row(block, Int($0)) }) {
          guard let extras = Extras(withoutContents: block.extras(at: row.row)) else {
            throw damaged(row, "extras that make no sense")
          }
          if extras.memberOf.first == owner.id { try body(row) }
        }
      }
    }
  }
}
