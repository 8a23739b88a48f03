extension IntegerColumn {
  /// Returns one number without looking at more than a few hundred others.
  package func decode(row: Int) -> Int64 {
    if let constant { return constant }
    defer { withExtendedLifetime(owner) {} }
    guard let first else {
      guard let mode else { return number(row) }
      let byte = bitmap.load(fromByteOffset: row >> 3, as: UInt8.self)
      return byte >> UInt8(row & 7) & 1 == 1 ? number(marks(0..<row)) : mode
    }
    // Go on from the nearest sum that was written down.
    let step = row / IntegerCodec.sumStep
    let from = step * IntegerCodec.sumStep
    var sum = sum(atStep: step, first)
    var kept = from..<row
    if let mode {
      let marked = marks(from..<row)
      let before = marks(0..<from)
      sum &+= mode &* Int64(row - from - marked)
      kept = (before..<before + marked).clamped(to: 0..<stored)
    }
    sum &+= base &* Int64(kept.count)
    let fields = fields
    if width > 0 {
      for index in kept {
        sum &+= Int64(bitPattern: BitPacking.load(fields, index, width: width))
      }
    }
    // The field of an exception is zero.
    var index = firstException(from: kept.lowerBound)
    while index < exceptions, place(index) < kept.upperBound {
      sum &+= distance(index)
      index += 1
    }
    return sum
  }

  private func number(_ index: Int) -> Int64 {
    guard index < stored else { return base }
    let exception = firstException(from: index)
    if exception < exceptions, place(exception) == index { return base &+ distance(exception) }
    return base &+ Int64(bitPattern: BitPacking.load(fields, index, width: width))
  }

  /// The first exception at or behind a place; they are in order.
  private func firstException(from place: Int) -> Int {
    (0..<exceptions).partition { self.place($0) < place }
  }

  /// Returns how many rows of a range have a number of their own.
  func marks(_ rows: Range<Int>) -> Int {
    var total = 0
    var row = rows.lowerBound
    while row < rows.upperBound {
      let word = UInt64(
        littleEndian: bitmap.loadUnaligned(fromByteOffset: row >> 3, as: UInt64.self))
      let skipped = row & 7
      let taken = min(64 - skipped, rows.upperBound - row)
      let wanted = word >> UInt64(skipped) & (taken == 64 ? .max : (1 << UInt64(taken)) - 1)
      total &+= wanted.nonzeroBitCount
      row += taken
    }
    return total
  }
}
