/// Decodes single rows.
extension IntegerColumn {
  /// Returns one number.
  ///
  /// Decodes at most a few hundred others.
  package func decode(row: Int) -> Int64 {
    defer { withExtendedLifetime(owner) {} }
    return RandomAccessIntegers(self)[row]
  }

  /// Returns the number of marked rows in a range that starts at a byte boundary.
  ///
  /// Marked rows have a packed number.
  func marks(_ rows: Range<Int>) -> Int { Self.marks(bitmap, rows) }

  /// Returns the number of set bits in a range that starts at a byte boundary.
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
