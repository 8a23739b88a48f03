/// The zone map of rows, computed the same way when it is written and when it is verified.
struct ZoneSummary {
  var minSequence: UInt64 = .max
  var maxSequence: UInt64 = 0
  var minStart = Double.infinity
  var maxStart = -Double.infinity
  var minEnd = Double.infinity
  var maxEnd = -Double.infinity
  var minValue = Double.infinity
  var maxValue = -Double.infinity
  var sum = 0.0
  var unit: Symbol?
  var source: Symbol?

  init(_ rows: RowColumns) {
    // Arrays as pointers: valid for the call.
    self.init(
      count: rows.count, sequence: rows.sequence, start: rows.start, end: rows.end,
      value: rows.value, unit: rows.unit, source: rows.source)
  }

  init(_ block: Block) {
    self.init(
      count: block.count, sequence: block.sequence, start: block.start, end: block.end,
      value: block.value, unit: block.unit, source: block.source)
  }

  private init(
    count: Int, sequence: UnsafePointer<UInt64>, start: UnsafePointer<Double>,
    end: UnsafePointer<Double>, value: UnsafePointer<Double>, unit: UnsafePointer<Symbol>,
    source: UnsafePointer<Symbol>
  ) {
    var sameUnit = true
    var sameSource = true
    for row in 0..<count {
      minSequence = min(minSequence, sequence[row])
      maxSequence = max(maxSequence, sequence[row])
      // Comparisons with a NaN are false, which leaves it out.
      if start[row] < minStart { minStart = start[row] }
      if start[row] > maxStart { maxStart = start[row] }
      if end[row] < minEnd { minEnd = end[row] }
      if end[row] > maxEnd { maxEnd = end[row] }
      if value[row] < minValue { minValue = value[row] }
      if value[row] > maxValue { maxValue = value[row] }
      sum += value[row]
      sameUnit = sameUnit && unit[row] == unit[0]
      sameSource = sameSource && source[row] == source[0]
    }
    self.unit = sameUnit ? unit[0] : nil
    self.source = sameSource ? source[0] : nil
  }

  /// Whether a zone says the same, bit by bit.
  func matches(_ zone: Zone) -> Bool {
    let mine = [minStart, maxStart, minEnd, maxEnd, minValue, maxValue, sum]
    let theirs = [
      zone.minStart, zone.maxStart, zone.minEnd, zone.maxEnd, zone.minValue, zone.maxValue,
      zone.sum,
    ]
    return minSequence == zone.minSequence && maxSequence == zone.maxSequence
      && unit == zone.unit && source == zone.source
      && zip(mine, theirs).allSatisfy { $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN }
  }
}
