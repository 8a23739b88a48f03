extension IntegerColumn {
  /// Returns one number without looking at more than a few hundred others.
  package func decode(row: Int) -> Int64 {
    defer { withExtendedLifetime(owner) {} }
    return RandomAccessIntegers(self)[row]
  }

  /// Counts the rows of a range, which begins with a byte, that have a number of their own.
  func marks(_ rows: Range<Int>) -> Int { Self.marks(bitmap, rows) }

  /// Counts the marks of a range that begins with a byte.
  @inline(__always)
  static func marks(_ bitmap: UnsafeRawPointer, _ rows: Range<Int>) -> Int {
    var total = 0
    var row = rows.lowerBound
    while row < rows.upperBound {
      var word = UInt64(
        littleEndian: bitmap.loadUnaligned(fromByteOffset: row &>> 3, as: UInt64.self))
      let rest = rows.upperBound &- row
      if rest < 64 { word &= 1 &<< UInt64(truncatingIfNeeded: rest) &- 1 }
      total &+= word.nonzeroBitCount
      row &+= 64
    }
    return total
  }
}
