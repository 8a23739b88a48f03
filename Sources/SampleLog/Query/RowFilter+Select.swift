extension RowFilter {
  /// Finds the live rows of a block that satisfy the filter.
  ///
  /// - Parameters:
  ///   - block: A block with the filter's columns, and with sequence numbers if `deleted` is given.
  ///   - range: The rows to test, or nil for all.
  ///   - isSorted: Whether the rows are sorted by start date.
  ///   - deleted: The deletion vector, or nil if none of the block's rows can be in it.
  ///   - rows: Replaced with the matching rows, in ascending order.
  /// - Throws: Any error that the filter's condition throws; `rows` is then unspecified.
  func select(
    _ block: Block, _ range: Range<Int>? = nil, isSorted: Bool, deleted: DeletionVector?,
    into rows: inout [Int32]
  ) throws {
    rows.removeAll(keepingCapacity: true)
    var lower = range?.lowerBound ?? 0
    var upper = range?.upperBound ?? block.count
    if !start.isAll, isSorted {
      lower = max(lower, partition(block.start, block.count) { $0 < start.lower })
      upper = min(upper, partition(block.start, block.count) { $0 <= start.upper })
    }
    guard lower < upper else { return }
    // The first range creates the list of rows; later ones remove from it.
    var isListed = false
    func keep(_ bounds: Bounds, _ column: UnsafePointer<Double>) {
      if isListed {
        rows.keep { bounds.contains(column[$0]) }
      } else {
        rows.list(lower..<upper, column, in: bounds)
      }
      isListed = true
    }
    if !start.isAll, !isSorted { keep(start, block.start) }
    if !end.isAll { keep(end, block.end) }
    // Even the range of all numbers excludes NaN.
    if let valueBounds { keep(valueBounds, block.value) }
    if !isListed { rows.list(lower..<upper) }
    if let value {
      let values = block.value
      rows.keep(by: block.unit, value) { $0?.contains(values[$1]) ?? false }
    }
    if let source { rows.keep(by: block.source, source) { isWanted, _ in isWanted } }
    if let deleted {
      let column = block.sequence
      rows.keep { !deleted.contains(column[$0]) }
    }
    if let ids {
      let column = block.id
      rows.keep { ids.contains(column[$0]) }
    }
    if let condition { try rows.keep { try condition(block, $0) } }
  }
}

extension [Int32] {
  /// Replaces the list with all rows of a range.
  fileprivate mutating func list(_ range: Range<Int>) {
    self = [Int32](unsafeUninitializedCapacity: range.count) { rows, count in
      for row in range {
        rows[count] = Int32(truncatingIfNeeded: row)
        count &+= 1
      }
    }
  }

  /// Replaces the list with the rows of a range whose numbers in a column are within bounds.
  ///
  /// Tests eight rows at a time, because matches are usually few and close together.
  fileprivate mutating func list(
    _ range: Range<Int>, _ column: UnsafePointer<Double>, in bounds: Bounds
  ) {
    let lower = SIMD2(repeating: bounds.lower)
    let upper = SIMD2(repeating: bounds.upper)
    let raw = UnsafeRawPointer(column)
    self = [Int32](unsafeUninitializedCapacity: range.count) { rows, count in
      func list(_ range: Range<Int>) {
        for row in range {
          rows[count] = Int32(truncatingIfNeeded: row)
          count &+= bounds.contains(column[row]) ? 1 : 0
        }
      }
      var row = range.lowerBound
      while row &+ 8 <= range.upperBound {
        var found = SIMD2<Int64>.zero
        for pair in 0..<4 {
          let offset = (row &+ pair &* 2) &* 8
          let two = raw.loadUnaligned(fromByteOffset: offset, as: SIMD2<Double>.self)
          let isWithin = (two .>= lower) .& (two .<= upper)
          found |= SIMD2<Int64>.zero.replacing(with: 1, where: isWithin)
        }
        if found[0] | found[1] != 0 { list(row..<row &+ 8) }
        row &+= 8
      }
      list(row..<range.upperBound)
    }
  }

  /// Removes the rows that fail a condition, in order and without branching on it.
  @inline(__always)
  fileprivate mutating func keep(_ isKept: (Int) throws -> Bool) rethrows {
    var kept = 0
    try withUnsafeMutableBufferPointer { rows in
      for row in rows {
        rows[kept] = row
        kept += try isKept(Int(row)) ? 1 : 0
      }
    }
    removeLast(count - kept)
  }

  /// Removes rows by a property of their symbol, computed once per run of equal symbols.
  @inline(__always)
  fileprivate mutating func keep<Fact>(
    by symbols: UnsafePointer<Symbol>, _ fact: (Symbol) -> Fact, _ isKept: (Fact, Int) -> Bool
  ) {
    var last = symbols[0]
    var known = fact(last)
    keep { row in
      if symbols[row] != last {
        last = symbols[row]
        known = fact(last)
      }
      return isKept(known, row)
    }
  }
}
