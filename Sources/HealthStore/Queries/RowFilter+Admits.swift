import SampleLog

extension RowFilter {
  /// Whether one row of a block with all columns satisfies the filter.
  ///
  /// - Throws: What the filter's condition throws.
  func admits(_ block: Block, _ row: Int) throws -> Bool {
    guard start.contains(block.start[row]), end.contains(block.end[row]) else { return false }
    if let value {
      guard value(block.unit[row])?.contains(block.value[row]) == true else { return false }
    }
    if let source, !source(block.source[row]) { return false }
    if let ids, !ids.contains(block.id[row]) { return false }
    return try condition?(block, row) ?? true
  }

  /// Whether every row satisfies the filter.
  var isTrivial: Bool {
    start.isAll && end.isAll && value == nil && source == nil && ids == nil && condition == nil
  }
}
