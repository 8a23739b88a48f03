extension Snapshot {
  /// Returns the distinct sources of the live samples of a selection.
  ///
  /// - Parameter selection: The series to search and their filters.
  /// - Returns: The sources, including the empty name if a sample has none.
  /// - Throws: Any error that a filter's condition throws, ``StoreError/invalid(_:)`` if a series
  ///   belongs to another database, and ``StoreError/damaged(file:offset:reason:)`` if a block
  ///   cannot be read.
  /// - Complexity: Does not read a block whose directory entry shows a single source that is
  ///   already known, or that all its rows match. Evaluates conditions only for rows of new
  ///   sources.
  public func sourceNames(of selection: SeriesSelection) throws -> Set<Name> {
    Set(try sources(of: selection).map { symbols.name(of: $0) })
  }

  package func sources(of selection: SeriesSelection) throws -> Set<Symbol> {
    try selection.check(symbols)
    var found: Set<Symbol> = []
    var rows: [Int32] = []
    for source in try blockSources(of: selection) {
      var source = source
      var filter = selection.filters[source.filter]
      guard try source.narrow(to: filter, caches.blocks) else { continue }
      let deleted = source.relevant(self.deleted)
      filter.simplify(for: source.zone)
      if let only = source.zone.source {
        if found.contains(only) { continue }
        if deleted == nil, filter.isTrivial {
          found.insert(only)
          continue
        }
      }
      filter.source = { [known = found, admits = filter.source] symbol in
        !known.contains(symbol) && admits?(symbol) ?? true
      }
      let columns = filter.columns.union(deleted == nil ? [] : .sequence)
      let block = try source.load(columns.subtracting(.target), caches.blocks)
      try filter.select(block, isSorted: source.zone.isSorted, deleted: deleted, into: &rows)
      for row in rows { found.insert(block.source[Int(row)]) }
    }
    return found
  }
}
