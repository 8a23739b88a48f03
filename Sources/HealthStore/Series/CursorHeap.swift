/// Where somebody is in a list that is read element by element.
protocol ListCursor {
  /// Whether the element here comes before that of another.
  func precedes(_ other: Self) -> Bool

  /// Goes on to the next element; false when there is none.
  mutating func advance() throws -> Bool
}

/// Merges lists: cursors in a binary heap, the one whose element comes first in front.
struct CursorHeap<Cursor: ListCursor> {
  private(set) var cursors: [Cursor] = []

  /// The cursor whose element comes first; nil when there is none.
  var first: Cursor? { cursors.first }

  /// Adds a cursor.
  mutating func insert(_ cursor: Cursor) {
    cursors.append(cursor)
    var child = cursors.count - 1
    while child > 0, cursors[child].precedes(cursors[(child - 1) / 2]) {
      cursors.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Moves the first cursor on, and removes it at the end of its list; there must be one.
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

  /// Changes each cursor in a way that keeps their order.
  mutating func update(_ body: (inout Cursor) -> Void) {
    for index in cursors.indices { body(&cursors[index]) }
  }
}
