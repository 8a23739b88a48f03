/// The set of rows of a column that have a value.
struct Presence {
  /// The number of rows.
  private(set) var count = 0
  /// The number of rows with a value.
  private(set) var valueCount = 0
  /// One byte per row, 1 if the row has a value; empty while either all rows or none have one.
  private(set) var flags: [UInt8] = []

  /// The number of rows without a value.
  var nullCount: Int { count - valueCount }

  @inline(__always)
  mutating func append(_ hasValue: Bool) {
    if !flags.isEmpty || (count > 0 && (valueCount > 0) != hasValue) { appendFlag(hasValue) }
    count += 1
    if hasValue { valueCount += 1 }
  }

  @inline(never)
  private mutating func appendFlag(_ hasValue: Bool) {
    if flags.isEmpty { flags = [UInt8](repeating: valueCount > 0 ? 1 : 0, count: count) }
    flags.append(hasValue ? 1 : 0)
  }
}
