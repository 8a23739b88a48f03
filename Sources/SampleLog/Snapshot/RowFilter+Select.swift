extension RowFilter {
  /// Appends the places of a block's rows that satisfy the filter and are alive.
  ///
  /// - Parameters:
  ///   - block: A block with the filter's columns, and sequence numbers when `dead` matters.
  ///   - rows: The rows to look at; nil for all.
  ///   - isSorted: Whether its rows are in order of start.
  ///   - dead: The deleted rows; nil when none of the block's can be among them.
  ///   - places: Emptied first, then filled in rising order.
  /// - Throws: What the filter's condition throws; `places` then means nothing.
  func select(
    _ block: Block, _ rows: Range<Int>? = nil, isSorted: Bool, dead: DeletionVector?,
    into places: inout [Int32]
  ) throws {
    places.removeAll(keepingCapacity: true)
    var lower = rows?.lowerBound ?? 0
    var upper = rows?.upperBound ?? block.count
    if !start.isAll, isSorted {
      lower = max(lower, partition(block.start, block.count) { $0 < start.lower })
      upper = min(upper, partition(block.start, block.count) { $0 <= start.upper })
    }
    guard lower < upper else { return }
    // The first range makes the list of places, others shorten it.
    var isListed = false
    func keep(_ bounds: Bounds, _ column: UnsafePointer<Double>) {
      if isListed {
        places.keep { bounds.contains(column[$0]) }
      } else {
        places.list(lower..<upper, column, in: bounds)
      }
      isListed = true
    }
    if !start.isAll, !isSorted { keep(start, block.start) }
    if !end.isAll { keep(end, block.end) }
    // Not even all numbers include a NaN.
    if let valueBounds { keep(valueBounds, block.value) }
    if !isListed { places.list(lower..<upper) }
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
    if let condition { try places.keep { try condition(block, $0) } }
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
  /// Makes a list of all places of a range.
  fileprivate mutating func list(_ range: Range<Int>) {
    self = [Int32](unsafeUninitializedCapacity: range.count) { places, count in
      for place in range {
        places[count] = Int32(truncatingIfNeeded: place)
        count &+= 1
      }
    }
  }

  /// Makes a list of the places of a range where a column's numbers are within bounds.
  ///
  /// Such places are mostly few and close together, so eight are tried at once.
  fileprivate mutating func list(
    _ range: Range<Int>, _ column: UnsafePointer<Double>, in bounds: Bounds
  ) {
    let lower = SIMD2(repeating: bounds.lower)
    let upper = SIMD2(repeating: bounds.upper)
    let raw = UnsafeRawPointer(column)
    self = [Int32](unsafeUninitializedCapacity: range.count) { places, count in
      func list(_ range: Range<Int>) {
        for place in range {
          places[count] = Int32(truncatingIfNeeded: place)
          count &+= bounds.contains(column[place]) ? 1 : 0
        }
      }
      var place = range.lowerBound
      while place &+ 8 <= range.upperBound {
        var found = SIMD2<Int64>.zero
        for pair in 0..<4 {
          let offset = (place &+ pair &* 2) &* 8
          let two = raw.loadUnaligned(fromByteOffset: offset, as: SIMD2<Double>.self)
          let isWithin = (two .>= lower) .& (two .<= upper)
          found |= SIMD2<Int64>.zero.replacing(with: 1, where: isWithin)
        }
        if found[0] | found[1] != 0 { list(place..<place &+ 8) }
        place &+= 8
      }
      list(place..<range.upperBound)
    }
  }

  /// Removes the places that do not satisfy a condition, in place and without branches on it.
  @inline(__always)
  fileprivate mutating func keep(_ isKept: (Int) throws -> Bool) rethrows {
    var kept = 0
    try withUnsafeMutableBufferPointer { places in
      for place in places {
        places[kept] = place
        kept += try isKept(Int(place)) ? 1 : 0
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
