/// The statistics of a block's rows, which let readers skip the block without reading it.
///
/// Minima and maxima exclude NaNs: if all values are NaN, the minimum is +∞ and the maximum −∞.
/// Zeros of either sign compare equal.
package struct ZoneMap: Sendable {
  package var count = 0
  package var minSequence = UInt64.max
  package var maxSequence: UInt64 = 0
  package var minStart = Double.infinity
  package var maxStart = -Double.infinity
  package var minEnd = Double.infinity
  package var maxEnd = -Double.infinity
  /// The minimum value; not maintained for the blocks of a memtable.
  package var minValue = Double.infinity
  package var maxValue = -Double.infinity
  /// The sum of the values, added in row order.
  package var sum = 0.0
  /// The unit of every row, or nil if the rows differ or if values are not maintained.
  package var unit: Symbol?
  /// The source of every row, or nil if the rows differ or if values are not maintained.
  package var source: Symbol?
  /// Whether the rows are sorted by start.
  package var isSorted = true

  package init() {}

  /// Adds a row of a memtable, without its value.
  @inline(__always)
  package mutating func include(start: Double, end: Double, sequence: UInt64) {
    count += 1
    if start < maxStart { isSorted = false }
    minStart = min(minStart, start)
    maxStart = max(maxStart, start)
    minEnd = min(minEnd, end)
    maxEnd = max(maxEnd, end)
    minSequence = min(minSequence, sequence)
    maxSequence = max(maxSequence, sequence)
  }

  /// Adds rows of a memtable in ascending order of sequence numbers, without their values.
  mutating func include(
    _ rows: Int, start: UnsafePointer<Double>, end: UnsafePointer<Double>,
    sequence: UnsafePointer<UInt64>
  ) {
    guard rows > 0 else { return }
    var latest = maxStart
    for row in 0..<rows {
      if start[row] < latest { isSorted = false }
      latest = start[row] > latest ? start[row] : latest
    }
    let ends = Self.bounds(end, rows)
    count += rows
    minStart = min(minStart, Self.bounds(start, rows).least)
    maxStart = latest
    minEnd = min(minEnd, ends.least)
    maxEnd = max(maxEnd, ends.greatest)
    minSequence = min(minSequence, sequence[0])
    maxSequence = max(maxSequence, sequence[rows - 1])
  }
}

/// Segment writers and verifiers compute zone maps with the same code.
extension ZoneMap {
  init(_ rows: RowColumns) {
    // The arrays convert to pointers that are valid during the call.
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
    self.count = count
    (minSequence, maxSequence) = (.max, 0)
    for row in 0..<count {
      minSequence = min(minSequence, sequence[row])
      maxSequence = max(maxSequence, sequence[row])
    }
    (minStart, maxStart) = Self.bounds(start, count)
    (minEnd, maxEnd) = Self.bounds(end, count)
    (minValue, maxValue) = Self.bounds(value, count)
    var total = 0.0
    for row in 0..<count { total += value[row] }
    sum = total
    self.unit = Self.common(unit, count)
    self.source = Self.common(source, count)
  }

  /// Returns the minimum and the maximum of a column, excluding NaN.
  ///
  /// Keeps both in registers during the loop.
  @inline(__always)
  private static func bounds(
    _ column: UnsafePointer<Double>, _ count: Int
  ) -> (least: Double, greatest: Double) {
    var (least, greatest) = (Double.infinity, -Double.infinity)
    for row in 0..<count {
      let number = column[row]
      // Comparisons with NaN are false, which excludes it.
      least = number < least ? number : least
      greatest = number > greatest ? number : greatest
    }
    return (least, greatest)
  }

  /// Returns the symbol of all rows, or nil if they differ.
  @inline(__always)
  private static func common(_ column: UnsafePointer<Symbol>, _ count: Int) -> Symbol? {
    var difference: Symbol = 0
    let first = column[0]
    for row in 0..<count { difference |= column[row] ^ first }
    return difference == 0 ? first : nil
  }

  /// The numbers that a segment stores, in the order of its directory.
  var numbers: [Double] { [minStart, maxStart, minEnd, maxEnd, minValue, maxValue, sum] }

  /// Returns whether another zone map is identical.
  ///
  /// Numbers compare by bit pattern, and any two NaNs are equal.
  func matches(_ other: ZoneMap) -> Bool {
    minSequence == other.minSequence && maxSequence == other.maxSequence
      && unit == other.unit && source == other.source
      && zip(numbers, other.numbers).allSatisfy {
        $0.bitPattern == $1.bitPattern || $0.isNaN && $1.isNaN
      }
  }
}

extension Aggregate {
  /// Adds the values of a block all of whose rows are included.
  package mutating func add(_ zone: ZoneMap) {
    count += zone.count
    sum += zone.sum
    minimum = min(minimum, zone.minValue)
    maximum = max(maximum, zone.maxValue)
  }
}
