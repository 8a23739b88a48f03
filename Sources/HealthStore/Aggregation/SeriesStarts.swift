internal import SampleLog

/// The start times of the quantity series of a type.
///
/// Only rows of quantity series hold several values.
///
/// Points have the dates of their parent row, so the point series is sufficient and parent rows are
/// not read. A type without quantity series costs one symbol look-up.
struct SeriesStarts: Sendable {
  /// The start times, ascending and without duplicates.
  private var starts: [Double] = []
  /// The index of the first start time at or after the last one looked up.
  private var upcoming = 0

  /// Finds the series whose dates satisfy a filter.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the points cannot be read.
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

  /// Returns the key of the series that holds a type's points, or nil if no points of the type were
  /// ever stored.
  static func points(of key: SeriesKey, _ symbols: SymbolTable) -> SeriesKey? {
    symbols.find(ChildType.name(PointChunk.childType, of: symbols.text(key.type)))
      .map { SeriesKey(subject: key.subject, type: $0) }
  }

  /// Whether every row holds a single value.
  var isEmpty: Bool { starts.isEmpty }

  /// Returns whether a block may contain rows with several values.
  func mayBe(in zone: ZoneMap) -> Bool {
    let first = (0..<starts.count).partition { starts[$0] < zone.minStart }
    return first < starts.count && starts[first] <= zone.maxStart
  }

  /// Returns whether a row with the given start may hold several values.
  ///
  /// Starts must be ascending.
  mutating func contains(_ start: Double) -> Bool {
    while upcoming < starts.count, starts[upcoming] < start { upcoming += 1 }
    return upcoming < starts.count && starts[upcoming] == start
  }
}
