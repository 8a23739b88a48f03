/// Decodes ranges of rows.
extension IntegerColumn {
  /// Decodes all `count` numbers.
  package func decode(into out: UnsafeMutablePointer<Int64>) { decode(rows: 0..<count, into: out) }

  /// Decodes a non-empty range of rows.
  ///
  /// The first row must be a multiple of ``IntegerCodec/sumStep``: a checkpoint is stored there, so
  /// that no earlier row is decoded.
  package func decode(rows: Range<Int>, into out: UnsafeMutablePointer<Int64>) {
    check(rows)
    if let first, mode == nil, exceptions == 0 {
      defer { withExtendedLifetime(owner) {} }
      BitPacking.unpackSums(
        fields, from: rows.lowerBound, count: rows.count - 1, width: width, base: base,
        sum: sum(atStep: rows.lowerBound / IntegerCodec.sumStep, first), into: out)
      return
    }
    if !decodeSteps(rows, into: out) { return }
    var sum = out[0]
    for index in 1..<rows.count {
      sum &+= out[index]
      out[index] = sum
    }
  }

  /// Decodes a range of rows, or its first number and the differences between adjacent rows.
  ///
  /// Returns true if it decoded differences.
  private func decodeSteps(_ rows: Range<Int>, into out: UnsafeMutablePointer<Int64>) -> Bool {
    check(rows)
    if let constant {
      out.update(repeating: constant, count: rows.count)
      return false
    }
    defer { withExtendedLifetime(owner) {} }
    guard let first else {
      decodePacked(rows, into: out)
      return false
    }
    out[0] = sum(atStep: rows.lowerBound / IntegerCodec.sumStep, first)
    decodePacked(rows.lowerBound..<rows.upperBound - 1, into: out + 1)
    return rows.count > 1
  }

  private func check(_ rows: Range<Int>) {
    precondition(
      !rows.isEmpty && rows.upperBound <= count && rows.lowerBound % IntegerCodec.sumStep == 0,
      "no such rows")
  }

  /// Returns the number at the first row of a step, for a column of differences.
  func sum(atStep step: Int, _ first: Int64) -> Int64 {
    guard step > 0 else { return first }
    return first &+ IntegerCodec.unzigzag(BitPacking.load(body, step - 1, width: sumWidth))
  }

  /// Decodes the packed numbers or differences of a range of rows.
  private func decodePacked(_ rows: Range<Int>, into out: UnsafeMutablePointer<Int64>) {
    guard let mode else { return decodeKept(rows, into: out) }
    let before = marks(0..<rows.lowerBound)
    let kept = (before..<before + marks(rows)).clamped(to: 0..<stored)
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: kept.count + 1) { buffer in
      guard let numbers = buffer.baseAddress else { return }
      decodeKept(kept, into: numbers)
      // The merge reads one number past the last without using it.
      numbers[kept.count] = mode
      let bitmap = bitmap + rows.lowerBound / 8
      if kept.count * 4 < rows.count {
        out.update(repeating: mode, count: rows.count)
        scatter(numbers, kept.count, bitmap, count: rows.count, into: out)
      } else {
        merge(numbers, kept.count, bitmap, mode: mode, count: rows.count, into: out)
      }
    }
  }

  /// Decodes a range of the packed fields, including exceptions.
  private func decodeKept(_ kept: Range<Int>, into out: UnsafeMutablePointer<Int64>) {
    BitPacking.unpack(
      fields, from: kept.lowerBound, count: kept.count, width: width, base: base, into: out)
    for index in 0..<exceptions {
      let position = position(index)
      if kept.contains(position) { out[position - kept.lowerBound] = base &+ distance(index) }
    }
  }

  /// Decodes the low bytes of packed numbers or differences of 1 to 8 bits, after subtracting
  /// `least` from each.
  func unpackBytes(
    _ first: Int, less least: Int64, into out: UnsafeMutableBufferPointer<UInt8>
  ) {
    let base = base &- least
    BitPacking.unpack(
      fields, from: first, width: width, base: UInt8(truncatingIfNeeded: base), into: out)
    for index in 0..<exceptions {
      let position = position(index) - first
      if out.indices.contains(position) {
        out[position] = UInt8(truncatingIfNeeded: base &+ distance(index))
      }
    }
    withExtendedLifetime(owner) {}
  }

  /// The first of the column's numbers, if each of the others is one more than the previous.
  var firstOfRun: Int64? {
    mode == nil && exceptions == 0 && width == 0 && base == 1 ? first : nil
  }

  /// Decodes the distances of all numbers from ``base``, if the column stores them in 1 to 8 bits
  /// each and none exceeds a byte.
  ///
  /// Returns false if the column has another form.
  func unpackBytes(into out: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    defer { withExtendedLifetime(owner) {} }
    guard constant == nil, first == nil, mode == nil, (1...8).contains(width),
      (0..<exceptions).allSatisfy({ 0...255 ~= distance($0) })
    else { return false }
    unpackBytes(0, less: base, into: out)
    return true
  }

  /// Writes the few packed numbers to the rows that the bitmap marks.
  private func scatter(
    _ kept: UnsafePointer<Int64>, _ keptCount: Int, _ bitmap: UnsafeRawPointer, count: Int,
    into out: UnsafeMutablePointer<Int64>
  ) {
    var next = 0
    for row in stride(from: 0, to: count, by: 64) {
      var word = UInt64(
        littleEndian: bitmap.loadUnaligned(fromByteOffset: row &>> 3, as: UInt64.self))
      // Ignores bits after the last row, which belong to the next part of the column.
      if count - row < 64 { word &= (1 << UInt64(count - row)) - 1 }
      while word != 0, next < keptCount {
        out[row &+ word.trailingZeroBitCount] = kept[next]
        next &+= 1
        word &= word &- 1
      }
    }
  }

  /// Writes the next packed number or the mode to each row, without branching on the bitmap.
  private func merge(
    _ kept: UnsafePointer<Int64>, _ keptCount: Int, _ bitmap: UnsafeRawPointer, mode: Int64,
    count: Int, into out: UnsafeMutablePointer<Int64>
  ) {
    var next = 0
    var row = 0
    while row < count {
      var word = UInt64(
        littleEndian: bitmap.loadUnaligned(fromByteOffset: row &>> 3, as: UInt64.self))
      let end = min(row &+ 64, count)
      while row < end {
        let value = kept[min(next, keptCount)]
        let marked = Int(truncatingIfNeeded: word & 1)
        out[row] = marked == 1 ? value : mode
        next &+= marked
        word &>>= 1
        row &+= 1
      }
    }
  }
}
