/// The blocks that a query may have to read, in the order that lets it stop earliest.
///
/// A limited query by start date often stops after one block. Its blocks are therefore taken
/// lazily from each segment's directory instead of being listed first.
struct OrderedSources {
  private struct Cursor {
    let segment: Segment
    let series: SegmentSeries
    var blocks: Range<Int>
    let filter: Int
    let isAscending: Bool

    var zone: ZoneMap {
      segment.zone(isAscending ? blocks.lowerBound : blocks.upperBound - 1)
    }

    mutating func take() -> BlockSource {
      let index = isAscending ? blocks.lowerBound : blocks.upperBound - 1
      blocks =
        isAscending
        ? index + 1..<blocks.upperBound : blocks.lowerBound..<index
      return BlockSource(segment, index, rows: series.rows, filter: filter)
    }
  }

  private let filters: [RowFilter]
  private let isAscending: Bool
  private var cursors: [(cursor: Cursor, date: Double)] = []
  // Sorted in reverse, so that the next block is last.
  private var listed: [BlockSource] = []
  private let order: RowOrder

  init(
    _ snapshot: Snapshot, _ selection: SeriesSelection, _ order: RowOrder, isLimited: Bool
  ) throws {
    filters = selection.filters
    self.order = order
    isAscending = !order.isDescending
    var isStart = false
    if case .start = order { isStart = true }
    if !isLimited || !isStart {
      listed = try snapshot.blockSources(of: selection)
    } else {
      for key in selection.series ?? snapshot.series {
        let number = selection.number(of: key)
        let filter = filters[number]
        for segment in snapshot.segments {
          guard let series = segment.series(key, .sample) else { continue }
          let blocks = segment.blocks(of: series, start: filter.start)
          guard !blocks.isEmpty else { continue }
          let cursor = Cursor(
            segment: segment, series: series, blocks: blocks, filter: number,
            isAscending: isAscending)
          cursors.append((cursor, date(cursor.zone)))
        }
        listed += try snapshot.memTableSources(key, filter, number: number)
      }
    }
    let keyed = listed.map { (date: date($0.zone), source: $0) }
    listed = keyed.sorted { isBefore($1.date, $0.date) }.map(\.source)
  }

  /// Returns the next block that may contain a matching row.
  mutating func next() -> BlockSource? {
    while true {
      let best = cursors.indices.min { isBefore(cursors[$0].date, cursors[$1].date) }
      if let best, listed.last.map({ isBefore(cursors[best].date, date($0.zone)) }) ?? true {
        let source = cursors[best].cursor.take()
        if cursors[best].cursor.blocks.isEmpty {
          cursors.remove(at: best)
        } else {
          cursors[best].date = date(cursors[best].cursor.zone)
        }
        if source.mayMatch(filters[source.filter]) { return source }
      } else {
        return listed.popLast()
      }
    }
  }

  /// Returns up to `count` of the next blocks.
  mutating func next(_ count: Int) -> [BlockSource] {
    var result: [BlockSource] = []
    while result.count < count, let source = next() { result.append(source) }
    return result
  }

  private func isBefore(_ left: Double, _ right: Double) -> Bool {
    isAscending ? left < right : left > right
  }

  /// Returns the sort key of a block.
  private func date(_ zone: ZoneMap) -> Double {
    switch order {
    case .any, .start(ascending: true): zone.minStart
    case .start(ascending: false): zone.maxStart
    case .end(ascending: true): zone.minEnd
    case .end(ascending: false): zone.maxEnd
    }
  }
}
