extension Snapshot {
  /// Returns the blocks of a series that may contain matches; `number` is the filter's index.
  func sources(
    _ key: SeriesKey, _ filter: RowFilter, number: Int = 0
  ) throws -> [BlockSource] {
    let found = segments.compactMap { segment in
      segment.series(key, .sample).map {
        (segment, $0, segment.blocks(of: $0, start: filter.start))
      }
    }
    let memTable = try memTableSources(key, filter, number: number)
    var result: [BlockSource] = []
    // Reallocating while appending thousands of blocks would cost as much as finding them.
    result.reserveCapacity(found.reduce(memTable.count) { $0 + $1.2.count })
    for (segment, series, blocks) in found {
      for index in blocks {
        let source = BlockSource(segment, index, rows: series.rows, filter: number)
        if source.mayMatch(filter) { result.append(source) }
      }
    }
    result += memTable
    return result
  }

  /// Returns the blocks of a selection that may contain matches.
  ///
  /// Adjacent series that share a block and a filter are read together.
  func blockSources(of selection: SeriesSelection) throws -> [BlockSource] {
    if let only = selection.series, only.count == 1 {
      return try sources(only[0], selection.filter(for: only[0]))
    }
    let wanted = selection.series.map { keys in
      keys.map { (key: $0, filter: selection.number(of: $0)) }
    }
    var result: [BlockSource] = []
    for segment in segments {
      for run in segment.runs(wanted) {
        for index in run.blocks {
          let isSorted = run.isOfOneSeries(inBlock: index, of: segment)
          let source = BlockSource(
            segment, index, rows: run.rows, isSorted: isSorted, filter: run.filter)
          if source.mayMatch(selection.filters[run.filter]) { result.append(source) }
        }
      }
    }
    for memTable in memTables {
      for (block, filter) in try memTable.blocks(wanted, through: end) where block.block.count > 0 {
        let source = BlockSource(block, filter: filter)
        if source.mayMatch(selection.filters[filter]) { result.append(source) }
      }
    }
    return result
  }

  func memTableSources(
    _ key: SeriesKey, _ filter: RowFilter, number: Int
  ) throws -> [BlockSource] {
    try memTables.flatMap { memTable in
      try memTable.blocks(key, .sample, through: end).compactMap { block in
        let source = BlockSource(block, filter: number)
        return block.block.count > 0 && source.mayMatch(filter) ? source : nil
      }
    }
  }
}

/// Adjacent series of a segment that share a filter.
private struct SeriesRun {
  var series: Range<Int>
  var rows: Range<Int>
  var blocks: Range<Int>
  var filter: Int

  /// Returns whether all selected rows of a block belong to one series.
  func isOfOneSeries(inBlock block: Int, of segment: Segment) -> Bool {
    if series.count == 1 { return true }
    let first = segment.firstRow(ofBlock: block)
    let own = rows.clamped(to: first..<first + segment.directory.rows(block))
    let number = segment.seriesNumber(ofRow: own.lowerBound - first, inBlock: block)
    return segment.series.rows(number).upperBound >= own.upperBound
  }
}

extension Segment {
  /// Returns the runs of the given series, each with the index of its filter.
  ///
  /// If `wanted` is nil, returns the runs of all series, with filter 0.
  fileprivate func runs(_ wanted: [(key: SeriesKey, filter: Int)]?) -> [SeriesRun] {
    guard let wanted else {
      return series.groups.filter { $0.kind == .sample }.map {
        SeriesRun(series: $0.series, rows: $0.rows, blocks: $0.blocks, filter: 0)
      }
    }
    var found = wanted.compactMap { one -> (number: Int, group: Int, filter: Int)? in
      series.find(BlockKey(one.key, .sample)).map { ($0.number, $0.group, one.filter) }
    }
    let isSorted = found.indices.dropFirst().allSatisfy {
      found[$0 - 1].number < found[$0].number
    }
    if !isSorted { found.sort { $0.number < $1.number } }
    var runs: [SeriesRun] = []
    var group = -1
    for one in found {
      let last = runs.count - 1
      if last >= 0, one.group == group, runs[last].filter == one.filter,
        runs[last].series.upperBound == one.number
      {
        runs[last].series = runs[last].series.lowerBound..<one.number + 1
        runs[last].rows = runs[last].rows.lowerBound..<series.rows(one.number).upperBound
      } else {
        runs.append(
          SeriesRun(
            series: one.number..<one.number + 1, rows: series.rows(one.number), blocks: 0..<0,
            filter: one.filter))
      }
      group = one.group
    }
    for index in runs.indices {
      let rows = runs[index].rows
      runs[index].blocks =
        locate(row: rows.lowerBound).block..<locate(row: rows.upperBound - 1).block + 1
    }
    return runs
  }

  /// Returns the blocks of a series that may contain rows starting within bounds.
  ///
  /// The zone maps of the first and the last block may include rows of other series. The result
  /// then includes every block with matches, but may include one without.
  func blocks(of series: SegmentSeries, start: Bounds) -> Range<Int> {
    let all = series.blocks
    if start.isAll { return all }
    let first = all.partition { zone($0).maxStart < start.lower }
    let end = all.partition { zone($0).minStart <= start.upper }
    return first..<max(first, end)
  }
}
