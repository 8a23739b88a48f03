internal import SampleLog

/// When the quantity series of a type start: no other rows stand for several values.
///
/// Points have the dates of the row that owns them, so their series says it without a look at the
/// rows themselves. A type without series costs one look-up of a symbol.
struct SeriesStarts: Sendable {
  /// Rising, each once.
  private var starts: [Double] = []
  /// The first that is not before the last that was asked for.
  private var upcoming = 0

  /// Finds the series whose dates satisfy a filter.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when they cannot be read.
  init(_ key: SeriesKey, where filter: RowFilter, in snapshot: Snapshot) throws {
    guard let points = Self.points(of: key, snapshot.symbols) else { return }
    var dates = RowFilter()
    dates.start = filter.start
    dates.end = filter.end
    var starts: [Double] = []
    let blocks = try snapshot.blocks(points, where: dates, columns: [])
    try snapshot.stream(blocks, where: dates, columns: []) { rows in
      rows.forEachRow { block, row in
        if starts.last != block.start[row] { starts.append(block.start[row]) }
      }
      return true
    }
    self.starts = starts
  }

  /// The series of the points of another; nil when there have never been any of its type.
  static func points(of key: SeriesKey, _ symbols: SymbolTable) -> SeriesKey? {
    symbols.find(OwnedType.name(PointChunk.role, of: symbols.text(key.type)))
      .map { SeriesKey(subject: key.subject, type: $0) }
  }

  /// Whether no row stands for several values.
  var isEmpty: Bool { starts.isEmpty }

  /// Whether a row of a block may stand for several values.
  func mayBe(in zone: ZoneMap) -> Bool {
    let first = starts.partitioningIndex { $0 >= zone.minStart }
    return first < starts.count && starts[first] <= zone.maxStart
  }

  /// Whether a row that starts at a time may stand for several values; times must not fall.
  mutating func contains(_ start: Double) -> Bool {
    while upcoming < starts.count, starts[upcoming] < start { upcoming += 1 }
    return upcoming < starts.count && starts[upcoming] == start
  }
}

extension [Double] {
  /// The position of the first number of which a condition holds, which then holds of all after it.
  fileprivate func partitioningIndex(_ holds: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
