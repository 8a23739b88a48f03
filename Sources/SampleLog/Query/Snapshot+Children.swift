extension Snapshot {
  /// Returns the live child rows of a row.
  ///
  /// - Parameters:
  ///   - parent: The parent row, which may have been deleted.
  ///   - type: The child type, a ``ChildType``, or nil for all.
  /// - Returns: The child rows, sorted by type, then in commit order.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if one cannot be read.
  /// - Complexity: Reads the children of all parents with the same dates.
  package func children(
    of parent: Row, type: Symbol? = nil
  ) throws -> [Row] {
    var found: [Row] = []
    try forEachChild(of: parent, type: type) { found.append($0) }
    return found.count > 1
      ? found.sorted { ($0.block.type, $0.sequence) < ($1.block.type, $1.sequence) } : found
  }

  /// Calls a function with each live child row of a row, with one block in memory at a time.
  package func forEachChild(
    of parent: Row, type: Symbol? = nil, _ body: (Row) throws -> Void
  ) throws {
    let types = symbols.childTypes(of: parent.block.type)
    if types.isEmpty { return }
    var filter = RowFilter()
    let (start, end) = (parent.block.start[parent.row], parent.block.end[parent.row])
    filter.start = Bounds(lower: start, upper: start)
    filter.end = Bounds(lower: end, upper: end)
    // A value filter, even a trivial one, defers reading extras to the rows that match.
    filter.value = { _ in .all }
    var rows: [Int32] = []
    for one in types where type == nil || type == one {
      // In commit order, because all have the same dates.
      for source in try sources(SeriesKey(subject: parent.subject, type: one), filter) {
        guard let block = try select(from: source, [filter], isCached: false, &rows) else {
          continue
        }
        for row in rows.map({ Row(block, Int($0)) }) {
          guard let extras = Extras(withoutContents: block.extras(at: row.row)) else {
            throw damaged(row, "extras that make no sense")
          }
          if extras.memberOf.first == parent.id { try body(row) }
        }
      }
    }
  }
}
