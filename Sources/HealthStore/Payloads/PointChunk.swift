import SampleLog

/// The payload of a chunk: consecutive points of a series, as columns of doubles that are stored
/// losslessly.
///
/// A version byte, the layout, the number of points, then each column preceded by its length.
package struct PointChunk: ChildPayload {
  package static let kind: UInt64 = 16
  package static let childType = "points"
  private static let version: UInt8 = 1
  /// The maximum number of points per chunk.
  package static let maximumCount = 1024

  package let layout: PointLayout
  /// The number of points, 1...1,024.
  package let count: Int
  // The values, in column-major order.
  private let numbers: [Double]

  /// Creates a chunk of 1...1,024 points; traps for any other number.
  ///
  /// `fill` writes all values in column-major order: column c begins at index c * `count`.
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

  /// Creates a chunk from columns of equal length; traps unless that is 1...1,024.
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

  package subscript(column: Int, point: Int) -> Double {
    precondition(point < count, "There is no such point.")
    return numbers[column * count + point]
  }

  /// Returns the values of a column.
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
    // Padded memory, because the column decoder reads whole words beyond a column's end.
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
  /// Splits columns of equal length into the minimum number of chunks; traps if the number of
  /// columns does not match the layout.
  package static func chunks(_ layout: PointLayout, columns: [[Double]]) -> [PointChunk] {
    let count = columns.first?.count ?? 0
    return stride(from: 0, to: count, by: maximumCount).map { begin in
      let part = begin..<min(count, begin + maximumCount)
      return PointChunk(layout, columns: columns.map { Array($0[part]) })
    }
  }

  /// Splits points into the minimum number of chunks, in order.
  ///
  /// `write` writes the values of one point; column c is at offset c * `stride`.
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
