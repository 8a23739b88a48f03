/// A cursor into a list that is read element by element.
protocol ListCursor {
  /// Returns whether this cursor's element precedes that of another.
  func precedes(_ other: Self) -> Bool

  /// Advances to the next element; returns false at the end of the list.
  mutating func advance() throws -> Bool
}

/// Merges sorted lists: a min-heap of cursors, ordered by their elements.
struct CursorHeap<Cursor: ListCursor> {
  private(set) var cursors: [Cursor] = []

  /// The cursor with the first element, or nil if there is none.
  var first: Cursor? { cursors.first }

  mutating func insert(_ cursor: Cursor) {
    cursors.append(cursor)
    var child = cursors.count - 1
    while child > 0, cursors[child].precedes(cursors[(child - 1) / 2]) {
      cursors.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Advances the first cursor and removes it at the end of its list.
  ///
  /// The heap must not be empty.
  mutating func advance() throws {
    if try !cursors[0].advance() {
      let last = cursors.removeLast()
      if cursors.isEmpty { return }
      cursors[0] = last
    }
    var parent = 0
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < cursors.count && cursors[child].precedes(cursors[first]) { first = child }
      if first == parent { return }
      cursors.swapAt(parent, first)
      parent = first
    }
  }

  /// Updates each cursor without changing their order.
  mutating func update(_ body: (inout Cursor) -> Void) {
    for index in cursors.indices { body(&cursors[index]) }
  }
}
