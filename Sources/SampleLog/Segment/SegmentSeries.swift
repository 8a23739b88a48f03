/// The contiguous rows of one subject, type and kind in a segment, sorted by start.
package struct SegmentSeries: Sendable {
  /// The index among the series of the segment.
  package var number: Int
  package var key: BlockKey
  /// The rows, as indices into the segment.
  package var rows: Range<Int>
  /// The blocks that contain the rows; the first and the last may also hold rows of other subjects.
  package var blocks: Range<Int>
}

/// The adjacent series of one type and kind in a segment, which share blocks.
struct SegmentGroup: Equatable, Sendable {
  var type: Symbol
  var kind: RowKind
  /// The indices of the series.
  var series: Range<Int>
  /// The rows, as indices into the segment.
  var rows: Range<Int>
  var blocks: Range<Int>
}

extension Segment {
  /// The number of series.
  package var seriesCount: Int { series.count }

  /// Returns a series by its number.
  package func series(_ number: Int) -> SegmentSeries {
    series(number, series.group(of: number), of: series.subject(number))
  }

  private func series(_ number: Int, _ group: Int, of subject: Symbol) -> SegmentSeries {
    let group = series.groups[group]
    let rows = series.rows(number)
    var blocks = group.blocks
    if group.series.count > 1 {
      blocks = locate(row: rows.lowerBound).block..<locate(row: rows.upperBound - 1).block + 1
    }
    let key = SeriesKey(subject: subject, type: group.type)
    return SegmentSeries(
      number: number, key: BlockKey(key, group.kind), rows: rows, blocks: blocks)
  }

  /// Returns the series of a subject, type and kind, or nil if it has no rows.
  package func series(_ key: SeriesKey, _ kind: RowKind) -> SegmentSeries? {
    series.find(BlockKey(key, kind)).map {
      series($0.number, $0.group, of: key.subject)
    }
  }

  /// Returns whether the segment has any row of a subject, live or deleted.
  package func hasRows(of subject: Symbol) -> Bool {
    !series.keys(of: subject).isEmpty
  }

  /// Returns the series of a subject's samples.
  func samples(of subject: Symbol) -> [SegmentSeries] {
    // In format versions 1 and 2 each group has a single subject.
    Set(series.groups.lazy.filter { $0.kind == .sample }.map(\.type)).sorted().compactMap {
      series(SeriesKey(subject: subject, type: $0), .sample)
    }
  }

  /// The groups in the order of the newest format version.
  var groupsInOrder: [SegmentGroup] {
    let keyed = series.groups.map { group in
      let subject = series.subject(group.series.lowerBound)
      return (BlockKey(SeriesKey(subject: subject, type: group.type), group.kind), group)
    }
    let groups = Dictionary(uniqueKeysWithValues: keyed)
    return groups.keys.inSegmentOrder(symbols).compactMap { groups[$0] }
  }

  /// Returns the group that the rows of a block belong to.
  func group(ofBlock block: Int) -> SegmentGroup {
    precondition(block >= 0 && block < blockCount, "no such block")
    return series.groups[series.group(ofBlock: block)]
  }

  /// Returns the rows of a block that belong to a series.
  package func rows(of one: SegmentSeries, inBlock block: Int) -> Range<Int> {
    let first = directory.firstRow(block)
    let rows = one.rows.clamped(to: first..<first + directory.rows(block))
    return rows.lowerBound - first..<rows.upperBound - first
  }

  /// Returns the subject of a row of a block.
  func subject(ofRow row: Int, inBlock block: Int) -> Symbol {
    series.subject(seriesNumber(ofRow: row, inBlock: block))
  }

  /// Returns the number of the series that a row of a block belongs to.
  func seriesNumber(ofRow row: Int, inBlock block: Int) -> Int {
    let group = group(ofBlock: block)
    let first = directory.series(block)
    if group.series.count == 1 { return first }
    // Each series has at least one row.
    let end = min(first + row + 1, group.series.upperBound)
    return series.number(ofRow: directory.firstRow(block) + row, in: first..<end)
  }

  /// Returns a column of the subjects of a range of rows, or nil if all have the same subject.
  func subjects(
    ofRows rows: Range<Int>, inBlock block: Int, keptBy storage: ColumnStorage
  ) -> UnsafePointer<Symbol>? {
    let group = group(ofBlock: block)
    let first = directory.firstRow(block)
    if group.series.count == 1 { return nil }
    let number = seriesNumber(ofRow: rows.lowerBound, inBlock: block)
    if series.rows(number).upperBound - first >= rows.upperBound { return nil }
    let memory = RawMemory(rows.count * MemoryLayout<Symbol>.stride)
    let column = memory.base.bindMemory(to: Symbol.self, capacity: rows.count)
    forEachSeries(inBlock: block, rows: rows) { number, own in
      (column + (own.lowerBound - rows.lowerBound))
        .initialize(repeating: series.subject(number), count: own.count)
    }
    storage.keep(memory)
    return UnsafePointer(column)
  }

  /// Calls a function with the number of each series in a range of rows of a block, and the
  /// series' rows.
  func forEachSeries(
    inBlock block: Int, rows: Range<Int>, _ body: (Int, Range<Int>) throws -> Void
  ) rethrows {
    let first = directory.firstRow(block)
    var number = seriesNumber(ofRow: rows.lowerBound, inBlock: block)
    var next = rows.lowerBound
    while next < rows.upperBound {
      let end = min(rows.upperBound, series.rows(number).upperBound - first)
      try body(number, next..<end)
      next = end
      number += 1
    }
  }
}
