extension RowFilter {
  /// Appends the places of a block's rows that satisfy the filter and are alive.
  ///
  /// - Parameters:
  ///   - block: A block with the filter's columns, and sequence numbers when `dead` matters.
  ///   - rows: The rows to look at; nil for all.
  ///   - isSorted: Whether its rows are in order of start.
  ///   - dead: The deleted rows; nil when none of the block's can be among them.
  ///   - places: Emptied first, then filled in rising order.
  func select(
    _ block: Block, _ rows: Range<Int>? = nil, isSorted: Bool, dead: DeadSet?,
    into places: inout [Int32]
  ) {
    places.removeAll(keepingCapacity: true)
    var lower = rows?.lowerBound ?? 0
    var upper = rows?.upperBound ?? block.count
    if !start.isAll, isSorted {
      lower = max(lower, partition(block.start, block.count) { $0 < start.lower })
      upper = min(upper, partition(block.start, block.count) { $0 <= start.upper })
    }
    guard lower < upper else { return }
    places.append(contentsOf: Int32(lower)..<Int32(upper))
    if !start.isAll, !isSorted {
      let column = block.start
      places.keep { start.contains(column[$0]) }
    }
    if !end.isAll {
      let column = block.end
      places.keep { end.contains(column[$0]) }
    }
    if let value { select(value, block, &places) }
    if let source { select(source, block, &places) }
    if let dead {
      let column = block.sequence
      places.keep { !dead.contains(column[$0]) }
    }
    if let ids {
      let column = block.id
      places.keep { ids.contains(column[$0]) }
    }
    if let condition { places.keep { condition(block, $0) } }
  }

  private func select(
    _ value: (Symbol) -> Bounds?, _ block: Block, _ places: inout [Int32]
  ) {
    var unit = block.unit[0]
    var bounds = value(unit)
    let units = block.unit
    let values = block.value
    places.keep { row in
      if units[row] != unit {
        unit = units[row]
        bounds = value(unit)
      }
      return bounds?.contains(values[row]) ?? false
    }
  }

  private func select(_ source: (Symbol) -> Bool, _ block: Block, _ places: inout [Int32]) {
    var last = block.source[0]
    var isWanted = source(last)
    let column = block.source
    places.keep { row in
      if column[row] != last {
        last = column[row]
        isWanted = source(last)
      }
      return isWanted
    }
  }
}

extension [Int32] {
  /// Removes the places that do not satisfy a condition, in place and without branches on it.
  @inline(__always)
  fileprivate mutating func keep(_ isKept: (Int) -> Bool) {
    var kept = 0
    withUnsafeMutableBufferPointer { places in
      for place in places {
        places[kept] = place
        kept += isKept(Int(place)) ? 1 : 0
      }
    }
    removeLast(count - kept)
  }
}

/// The first place of a sorted column that does not satisfy a condition true for a prefix of it.
@inline(__always)
package func partition(
  _ column: UnsafePointer<Double>, _ count: Int, _ isBefore: (Double) -> Bool
) -> Int {
  var lower = 0
  var upper = count
  while lower < upper {
    let middle = (lower + upper) / 2
    if isBefore(column[middle]) { lower = middle + 1 } else { upper = middle }
  }
  return lower
}
