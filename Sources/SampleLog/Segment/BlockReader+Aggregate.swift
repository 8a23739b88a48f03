extension Segment {
  /// Aggregates the values of a block of samples by the interval that contains their start date.
  ///
  /// Decodes only the start dates that the binary search for interval boundaries touches.
  ///
  /// - Parameters:
  ///   - index: The block.
  ///   - boundaries: The boundaries of the intervals, in ascending order.
  ///   - interval: The index of the interval that contains the block's first row.
  ///   - body: Receives the index of an interval and the aggregate of its rows.
  /// - Returns: The start dates of the first and the last aggregated row, or nil if no row lies in
  ///   an interval.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``, or an error of the operating system.
  @discardableResult
  func aggregate(
    block index: Int, boundaries: [Double], from interval: Int,
    _ body: (Int, Aggregate) -> Void
  ) throws -> ClosedRange<Double>? {
    let columns = StoredColumn.mask([.start, .value])
    return try BlockReader(self, index, mask: columns).aggregate(boundaries, from: interval, body)
  }
}

extension Segment {
  /// Aggregates the values of a block of samples that lie within bounds.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``, or an error of the operating system.
  func aggregate(block index: Int, valuesWithin bounds: Bounds) throws -> Aggregate {
    let reader = try BlockReader(self, index, mask: StoredColumn.mask(.value))
    defer { withExtendedLifetime(reader) {} }
    let (zone, values) = (zone(index), try reader.doubles(.value))
    return try reader.column(.value) { _ throws(CodecError) in
      try values.aggregate(within: bounds, from: zone.minValue, through: zone.maxValue)
    }
  }
}

extension BlockReader {
  fileprivate func aggregate(
    _ boundaries: [Double], from interval: Int, _ body: (Int, Aggregate) -> Void
  ) throws -> ClosedRange<Double>? {
    let zone = segment.zone(block)
    let starts = try doubles(.start, forOneRow: true)
    let runs = try runs(of: starts, boundaries, from: interval, zone)
    guard let first = runs.first, let last = runs.last else { return nil }
    let values = try doubles(.value)
    let aggregates = try column(.value) { _ throws(CodecError) in
      try values.aggregates(runs.map(\.rows), from: zone.minValue, through: zone.maxValue)
    }
    for (run, aggregate) in zip(runs, aggregates) { body(run.interval, aggregate) }
    defer { withExtendedLifetime(self) {} }
    let dates = try column(.start) { _ throws(CodecError) in try RandomAccessDoubles(starts) }
    // In a damaged file the dates may be out of order.
    let (start, end) = (dates[first.rows.lowerBound], dates[last.rows.upperBound - 1])
    return start <= end ? start...end : nil
  }

  /// Returns the rows of each interval, without empty intervals.
  private func runs(
    of starts: DoubleColumn, _ boundaries: [Double], from first: Int, _ zone: ZoneMap
  ) throws -> [(interval: Int, rows: Range<Int>)] {
    try column(.start) { _ throws(CodecError) in
      var runs: [(interval: Int, rows: Range<Int>)] = []
      var interval = first
      var row =
        zone.minStart >= boundaries[first] ? 0 : try starts.firstRow(notBelow: boundaries[first])
      while row < rows, interval + 1 < boundaries.count {
        let boundary = boundaries[interval + 1]
        let end = zone.maxStart < boundary ? rows : try starts.firstRow(notBelow: boundary)
        if end > row { runs.append((interval, row..<end)) }
        row = max(row, end)
        interval += 1
      }
      return runs
    }
  }
}

extension DoubleColumn {
  /// Returns the aggregates of ascending, disjoint row ranges of a column whose minimum and maximum
  /// are known.
  func aggregates(
    _ runs: [Range<Int>], from least: Double, through greatest: Double
  ) throws(CodecError) -> [Aggregate] {
    if let small = SmallIntegers(self, from: least, through: greatest) {
      return runs.map(small.aggregate)
    }
    return try withNumbers { numbers in
      runs.map { Aggregate(numbers + $0.lowerBound, count: $0.count) }
    }
  }
}

extension DoubleColumn {
  /// Returns the aggregate of the numbers within bounds of a column whose minimum and maximum are
  /// known.
  func aggregate(
    within bounds: Bounds, from least: Double, through greatest: Double
  ) throws(CodecError) -> Aggregate {
    let small = SmallIntegers(self, from: least, through: greatest)
    if let found = small?.aggregate(0..<count, within: bounds) { return found }
    return try withNumbers { numbers in
      var found = Aggregate()
      for row in 0..<count where bounds.contains(numbers[row]) { found.add(numbers[row]) }
      return found
    }
  }

  /// Calls a function with all numbers of the column, decoded.
  private func withNumbers<Result>(
    _ body: (UnsafePointer<Double>) -> Result
  ) throws(CodecError) -> Result {
    let decoded = UnsafeMutablePointer<Double>.allocate(capacity: count)
    defer { decoded.deallocate() }
    let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: count)
    defer { scratch.deallocate() }
    try decode(into: decoded, scratch: scratch)
    return body(decoded)
  }
}

extension Aggregate {
  /// Aggregates a run of values in four SIMD lanes.
  init(_ values: UnsafePointer<Double>, count: Int) {
    self.init()
    self.count = count
    var sums = SIMD4<Double>.zero
    var least = SIMD4<Double>(repeating: .infinity)
    var greatest = SIMD4<Double>(repeating: -.infinity)
    let raw = UnsafeRawPointer(values)
    for index in stride(from: 0, through: count - 4, by: 4) {
      let four = raw.loadUnaligned(fromByteOffset: index &* 8, as: SIMD4<Double>.self)
      sums += four
      least.replace(with: four, where: four .< least)
      greatest.replace(with: four, where: four .> greatest)
    }
    sum = sums.sum()
    minimum = least.min()
    maximum = greatest.max()
    for index in count & ~3..<count {
      sum += values[index]
      minimum = min(minimum, values[index])
      maximum = max(maximum, values[index])
    }
  }
}
