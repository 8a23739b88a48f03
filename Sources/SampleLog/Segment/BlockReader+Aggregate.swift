extension Segment {
  /// Aggregates the values of a block of samples by the interval that their start date lies in.
  ///
  /// Of the dates only those that a search for the boundaries meets are decoded.
  ///
  /// - Parameters:
  ///   - index: The block.
  ///   - boundaries: Where intervals begin and end, rising.
  ///   - interval: The interval of the block's first row within the boundaries.
  ///   - body: Takes an interval and the aggregate of its rows.
  /// - Throws: ``StoreError/damaged(file:offset:reason:)``, or an error of the operating system.
  func aggregate(
    block index: Int, boundaries: [Double], from interval: Int,
    _ body: (Int, Aggregate) -> Void
  ) throws {
    let columns = StoredColumn.mask([.start, .value])
    try BlockReader(self, index, mask: columns).aggregate(boundaries, from: interval, body)
  }
}

extension BlockReader {
  fileprivate func aggregate(
    _ boundaries: [Double], from interval: Int, _ body: (Int, Aggregate) -> Void
  ) throws {
    let starts = try doubles(.start)
    func firstRow(from row: Int, startingAt date: Double) throws -> Int {
      try column(.start) { _ throws(CodecError) in
        var lower = row
        var upper = rows
        while lower < upper {
          let middle = (lower + upper) / 2
          if try starts.decode(row: middle) < date { lower = middle + 1 } else { upper = middle }
        }
        return lower
      }
    }
    let values = try doubles(.value)
    try withUnsafeTemporaryAllocation(of: Double.self, capacity: rows) { decoded in
      try withUnsafeTemporaryAllocation(of: Int64.self, capacity: rows) { scratch in
        guard let out = decoded.baseAddress, let scratch = scratch.baseAddress else { return }
        try column(.value) { _ throws(CodecError) in
          try values.decode(into: out, scratch: scratch)
        }
        var interval = interval
        var row = try firstRow(from: 0, startingAt: boundaries[interval])
        while row < rows, interval + 1 < boundaries.count {
          let end = try firstRow(from: row, startingAt: boundaries[interval + 1])
          if end > row { body(interval, Aggregate(out + row, count: end - row)) }
          row = end
          interval += 1
        }
      }
    }
    withExtendedLifetime(self) {}
  }
}

extension Aggregate {
  /// The aggregate of a run of values, four running sums side by side.
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
