extension Snapshot {
  /// Returns the sources of the live samples that a selection finds.
  ///
  /// - Parameter selection: The series to look in, and what the rows of each must satisfy.
  /// - Returns: The sources, with the empty name for samples that have none.
  /// - Throws: What a filter's condition throws, ``StoreError/invalid(_:)`` for another database's
  ///   series, and ``StoreError/damaged(file:offset:reason:)``
  ///   when a block cannot be read.
  /// - Complexity: Blocks whose rows all satisfy the filter and have one source, as the directory
  ///   knows, are not read, nor are those whose one source was found before; of the others a
  ///   condition is asked for rows of new sources only.
  public func sourceNames(of selection: SeriesSelection) throws -> Set<Name> {
    Set(try sources(of: selection).map { symbols.name(of: $0) })
  }

  package func sources(of selection: SeriesSelection) throws -> Set<Symbol> {
    try selection.check(symbols)
    var found: Set<Symbol> = []
    var rows: [Int32] = []
    for source in blockSources(of: selection) {
      var source = source
      var filter = selection.filters[source.filter]
      guard try source.narrow(to: filter, caches.blocks) else { continue }
      let dead = source.relevant(self.dead)
      filter.settle(source.zone)
      if let only = source.zone.source {
        if found.contains(only) { continue }
        if dead == nil, filter.isTrivial {
          found.insert(only)
          continue
        }
      }
      filter.source = { [known = found, admits = filter.source] symbol in
        !known.contains(symbol) && admits?(symbol) ?? true
      }
      let columns = filter.columns.union(dead == nil ? [] : .sequence)
      let block = try source.load(columns.subtracting(.target), caches.blocks)
      try filter.select(block, isSorted: source.zone.isSorted, dead: dead, into: &rows)
      for row in rows { found.insert(block.source[Int(row)]) }
    }
    return found
  }
}
