extension DoubleColumn {
  /// Decodes all numbers of a column that does not depend on the start column.
  ///
  /// `scratch` has room for `count` integers.
  package func decode(
    into out: UnsafeMutablePointer<Double>, scratch: UnsafeMutablePointer<Int64>
  ) throws(CodecError) {
    try decode(rows: 0..<count, into: out, scratch: scratch)
  }

  /// Decodes a range of rows of a column that does not depend on the start column.
  ///
  /// The first row must be a multiple of ``IntegerCodec/sumStep``. `scratch` has room for one
  /// integer per row.
  package func decode(
    rows: Range<Int>, into out: UnsafeMutablePointer<Double>, scratch: UnsafeMutablePointer<Int64>
  ) throws(CodecError) {
    switch form {
    case .raw(let base):
      UnsafeMutableRawPointer(out).copyMemory(
        from: base + rows.lowerBound * 8, byteCount: rows.count * 8)
    case .planes(let memory):
      defer { withExtendedLifetime(memory) {} }
      let planes = memory.base.assumingMemoryBound(to: UInt8.self) + rows.lowerBound
      for row in 0..<rows.count {
        var bits: UInt64 = 0
        for plane in 0..<8 {
          bits |= UInt64(planes[plane &* count &+ row]) &<< UInt64(truncatingIfNeeded: plane &* 8)
        }
        out[row] = Double(bitPattern: bits)
      }
    case .modelled(let model, let integers):
      if let constant = integers.constant {
        out.update(repeating: Self.single(model, constant), count: rows.count)
      } else {
        integers.decode(rows: rows, into: scratch)
        model.decode(scratch, count: rows.count, into: out)
      }
      for index in 0..<exceptions {
        let position = position(index)
        if rows.contains(position) { out[position - rows.lowerBound] = exception(index) }
      }
    case .sameAsStart, .afterStart:
      throw CodecError("distances from start dates outside the end column")
    }
  }

  /// Decodes the end dates of a range of rows.
  ///
  /// `start` is the start column of the block. `starts` holds the decoded start dates of the rows,
  /// or is nil if they have not been decoded. `scratch` has room for two integers per row.
  package func decodeEnds(
    rows: Range<Int>, start: DoubleColumn, starts: UnsafePointer<Double>?,
    into out: UnsafeMutablePointer<Double>, scratch: UnsafeMutablePointer<Int64>
  ) throws(CodecError) {
    switch form {
    case .sameAsStart:
      if let starts {
        out.update(from: starts, count: rows.count)
      } else {
        try start.decode(rows: rows, into: out, scratch: scratch)
      }
    case .afterStart(let distances):
      guard case .modelled(let model, let integers) = start.form, start.exceptions == 0 else {
        throw CodecError("distances from start dates that are no integers")
      }
      integers.decode(rows: rows, into: scratch)
      if let constant = distances.constant {
        for index in 0..<rows.count { scratch[index] &+= constant }
      } else {
        let more = scratch + rows.count
        distances.decode(rows: rows, into: more)
        for index in 0..<rows.count { scratch[index] &+= more[index] }
      }
      model.decode(scratch, count: rows.count, into: out)
    default:
      try decode(rows: rows, into: out, scratch: scratch)
    }
  }

  /// Returns the first row of an ascending column whose number is not below a bound.
  ///
  /// Decodes one number per probe of a binary search over steps, and then the rows of one step.
  func firstRow(notBelow bound: Double) throws(CodecError) -> Int {
    let step = IntegerCodec.sumStep
    let picked = try RandomAccessDoubles(self)
    defer { withExtendedLifetime(self) {} }
    let next = (0..<(count + step - 1) / step).partition { picked[$0 * step] < bound }
    // The number at the start of the previous step is below the bound.
    guard next > 0 else { return 0 }
    let first = (next - 1) * step
    let rows = first..<min(first + step, count)
    return try withUnsafeTemporaryAllocation(of: Double.self, capacity: rows.count) {
      numbers throws(CodecError) in
      try withUnsafeTemporaryAllocation(of: Int64.self, capacity: rows.count) {
        scratch throws(CodecError) in
        guard let numbers = numbers.baseAddress, let scratch = scratch.baseAddress else {
          return first
        }
        try decode(rows: rows, into: numbers, scratch: scratch)
        return first + partition(numbers, rows.count) { $0 < bound }
      }
    }
  }
}
