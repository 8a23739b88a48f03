extension Preparation {
  /// Deletes a live row of the snapshot and its child rows.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the child rows cannot be read.
  mutating func delete(_ row: Row) throws {
    let type = facts(row.block.type)
    if type.isChild {
      deleteChild(row)
      return
    }
    payload.deletions.appendDeletion(of: row)
    guard type.hasChildrenWithoutPayload || Extras.hasPayload(row.block.extras(at: row.row)) else {
      return
    }
    parents.insert(row.id)
    try snapshot.forEachChild(of: row) { deleteChild($0) }
  }

  /// Deletes a child row unless it was already deleted with its parent.
  private mutating func deleteChild(_ row: Row) {
    // The deletion of a child row has no readers, and its extras may be large.
    if deletedChildren.insert(row.sequence).inserted {
      payload.deletions.appendDeletion(of: row, hasExtras: false)
    }
  }

  private mutating func isChild(_ type: Symbol) -> Bool { facts(type).isChild }

  private mutating func facts(_ type: Symbol) -> (isChild: Bool, hasChildrenWithoutPayload: Bool) {
    if let lastType, lastType.symbol == type {
      return (lastType.isChild, lastType.hasChildrenWithoutPayload)
    }
    let symbols = snapshot.symbols
    let facts = (
      isChild: symbols.isChildType(type),
      hasChildrenWithoutPayload: symbols.childTypes(of: type).contains {
        ChildType.isOfAnyParent(symbols.name($0))
      }
    )
    lastType = (type, facts.isChild, facts.hasChildrenWithoutPayload)
    return facts
  }

  /// Throws if the parent of a new child row does not exist.
  ///
  /// Skips child rows whose parent was skipped because the store has the same or a later version.
  ///
  /// `extras` are those of the batch, by number. Returns the stored rows that get new child rows.
  mutating func checkParents(
    _ extras: [Extras?], without left: Set<Identifier>
  ) throws -> Set<Identifier> {
    var grown: Set<Identifier> = []
    guard extras.contains(where: { $0?.memberOf.isEmpty == false }) else { return grown }
    let rows = payload.rows
    var new: [Identifier: Int]?
    var dropped: Set<Int> = []
    for row in 0..<rows.count where rows.extras[row] > 0 {
      guard let id = extras[Int(rows.extras[row]) - 1]?.memberOf.first, isChild(rows.type[row])
      else { continue }
      if left.contains(id) {
        dropped.insert(row)
        continue
      }
      let places =
        new ?? Dictionary(rows.id.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
      new = places
      if let place = places[id] {
        try Self.check(
          rows.subject[row] == rows.subject[place] && rows.start[row] == rows.start[place]
            && rows.end[row] == rows.end[place])
        continue
      }
      guard let parent = try snapshot.row(id) else { throw StoreError.notFound(id) }
      let (block, place) = (parent.block, parent.row)
      try Self.check(
        rows.subject[row] == parent.subject && rows.start[row] == block.start[place]
          && rows.end[row] == block.end[place])
      grown.insert(id)
    }
    parents.formUnion(grown)
    if !dropped.isEmpty { payload.rows = rows.removing(dropped) }
    return grown
  }

  /// Throws if the commit deletes a stored row that receives new child rows, because no query would
  /// find rows without a parent.
  func checkStaying(_ grown: Set<Identifier>) throws {
    if grown.isEmpty { return }
    if let gone = payload.deletions.id.first(where: grown.contains) {
      throw StoreError.notFound(gone)
    }
  }

  private static func check(_ isLikeParent: Bool) throws {
    guard isLikeParent else {
      throw StoreError.invalid("A row that belongs to another has its subject and dates.")
    }
  }
}
