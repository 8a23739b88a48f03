import SampleLog

/// The payload of a chunk: some of the points of a series, as columns of doubles kept to the bit.
///
/// A version byte, the layout, the number of points, then each column with its length before it.
package struct PointChunk: OwnedPayload {
  package static let kind: UInt64 = 16
  package static let role = "points"
  private static let version: UInt8 = 1
  /// The most points of one chunk.
  package static let maximumCount = 1024

  package let layout: PointLayout
  /// The number of points, 1...1,024.
  package let count: Int
  // Column after column.
  private let numbers: [Double]

  /// Makes a chunk of 1...1,024 points, and traps for another number.
  ///
  /// `fill` writes all numbers, those of column c from c times `count` on.
  package init(
    _ layout: PointLayout, count: Int, fill: (UnsafeMutablePointer<Double>) -> Void
  ) {
    precondition((1...Self.maximumCount).contains(count), "A chunk has 1 to 1,024 points.")
    self.layout = layout
    self.count = count
    let total = layout.width * count
    numbers = [Double](unsafeUninitializedCapacity: total) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      fill(base)
      initialized = total
    }
  }

  /// Makes a chunk of columns of equal length; traps where that is not 1...1,024.
  package init(_ layout: PointLayout, columns: [[Double]]) {
    let count = columns.first?.count ?? 0
    precondition(
      columns.count == layout.width && columns.allSatisfy { $0.count == count },
      "A chunk has columns of equal length.")
    self.init(layout, count: count) { out in
      for (index, column) in columns.enumerated() {
        (out + index * count).update(from: column, count: count)
      }
    }
  }

  /// The number in some column of some point.
  package subscript(column: Int, point: Int) -> Double {
    precondition(point < count, "There is no such point.")
    return numbers[column * count + point]
  }

  /// The numbers of a column.
  package func column(_ column: Int) -> ArraySlice<Double> {
    numbers[column * count..<(column + 1) * count]
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.byte(layout.rawValue)
    writer.varint(UInt64(count))
    let encoder = DoubleEncoder(capacity: count, integers: IntegerEncoder(capacity: count))
    numbers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for column in 0..<layout.width {
        let start = base + column * count
        var bytes = ByteWriter()
        encoder.encodeDeltas(
          start, after: column == 0 ? nil : start - count, count: count,
          areDates: layout.isDate(column), into: &bytes)
        writer.string(bytes.bytes)
      }
    }
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    // Columns are read in whole words, beyond their ends.
    let memory = RawMemory(bytes.count)
    memory.writable.copyBytes(from: bytes)
    defer { withExtendedLifetime(memory) {} }
    var reader = ByteReader(memory.bytes)
    guard reader.byte() == Self.version, let layout = reader.byte().flatMap(PointLayout.init),
      let count = reader.varint(), (1...UInt64(Self.maximumCount)).contains(count)
    else { return nil }
    self.layout = layout
    self.count = Int(count)
    var reading: CodecError?
    numbers = [Double](unsafeUninitializedCapacity: layout.width * Int(count)) {
      buffer, initialized in
      do throws(CodecError) {
        if let base = buffer.baseAddress {
          try Self.read(&reader, layout.width, count: Int(count), into: base)
        }
        initialized = layout.width * Int(count)
      } catch {
        reading = error
      }
    }
    guard reading == nil, reader.isAtEnd else { return nil }
    if let flags = layout.flags, !column(flags.column).allSatisfy(flags.allowed.contains) {
      return nil
    }
  }

  private static func read(
    _ reader: inout ByteReader, _ width: Int, count: Int, into out: UnsafeMutablePointer<Double>
  ) throws(CodecError) {
    try withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) {
      scratch throws(CodecError) in
      guard let scratch = scratch.baseAddress else { return }
      for column in 0..<width {
        guard let length = reader.varint(), length <= UInt64(reader.remaining),
          let bytes = reader.slice(Int(length))
        else { throw CodecError("cut column of points") }
        var inner = ByteReader(bytes)
        let start = out + column * count
        try DeltaColumn(&inner, count: count).decode(
          after: column == 0 ? nil : UnsafePointer(start - count), into: start, scratch: scratch)
      }
    }
  }
}

extension PointChunk {
  /// Makes chunks of columns of equal length, as few as can hold them; traps where they are not
  /// as many as the layout has.
  package static func chunks(_ layout: PointLayout, columns: [[Double]]) -> [PointChunk] {
    let count = columns.first?.count ?? 0
    return stride(from: 0, to: count, by: maximumCount).map { begin in
      let part = begin..<min(count, begin + maximumCount)
      return PointChunk(layout, columns: columns.map { Array($0[part]) })
    }
  }

  /// Makes chunks of points, as few as can hold them, in their order.
  ///
  /// `write` writes the numbers of a point, that of column c at c times the stride.
  static func chunks<Point>(
    _ layout: PointLayout, of points: [Point],
    write: (_ point: Point, _ first: UnsafeMutablePointer<Double>, _ stride: Int) -> Void
  ) -> [PointChunk] {
    stride(from: 0, to: points.count, by: maximumCount).map { begin in
      let count = min(maximumCount, points.count - begin)
      return PointChunk(layout, count: count) { out in
        for index in 0..<count { write(points[begin + index], out + index, count) }
      }
    }
  }
}
