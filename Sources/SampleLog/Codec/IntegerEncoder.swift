/// An encoder for columns of integers, with reusable buffers, so that encoding a column does not
/// allocate.
package final class IntegerEncoder {
  private let capacity: Int
  private let differences: UnsafeMutablePointer<Int64>
  private let rest: UnsafeMutablePointer<Int64>
  private let fields: UnsafeMutablePointer<UInt64>
  private let outliers: UnsafeMutablePointer<UInt64>
  private let positions: UnsafeMutablePointer<UInt16>
  private let body: UnsafeMutableRawPointer

  package init(capacity: Int) {
    self.capacity = capacity
    differences = .allocate(capacity: capacity + 1)
    rest = .allocate(capacity: capacity + 1)
    fields = .allocate(capacity: capacity + 1)
    outliers = .allocate(capacity: capacity + 1)
    positions = .allocate(capacity: capacity + 1)
    // Room for the bitmap, the fields, the positions and values of exceptions, and whole words at
    // the end.
    body = .allocate(byteCount: capacity * 19 + 128, alignment: 8)
  }

  deinit {
    differences.deallocate()
    rest.deallocate()
    fields.deallocate()
    outliers.deallocate()
    positions.deallocate()
    body.deallocate()
  }

  /// Appends a column of 1 to `capacity` numbers in the cheapest encoding.
  package func encode(
    _ values: UnsafePointer<Int64>, count: Int, into writer: inout ByteWriter
  ) {
    precondition(count > 0 && count <= capacity && count <= IntegerCodec.maximumCount)
    let first = values[0]
    var same = true
    for index in 1..<max(1, count) where values[index] != first {
      same = false
      break
    }
    if same {
      writer.byte(IntegerCodec.constant)
      writer.varint(UInt64(count))
      writer.varint(IntegerCodec.zigzag(first))
      return
    }
    for index in 1..<count { differences[index - 1] = values[index] &- values[index - 1] }
    let direct = IntegerPlan(values, count: count)
    let summed = IntegerPlan(differences, count: count - 1)
    // Decoding differences takes a serial sum, so they must save enough space to pay for it.
    if summed.cost + 64 < direct.cost - direct.cost / 16 {
      writer.byte(IntegerCodec.packed | IntegerCodec.differences)
      write(summed, differences, count: count - 1, of: values, first: first, into: &writer)
    } else {
      writer.byte(IntegerCodec.packed)
      write(direct, values, count: count, of: values, first: nil, into: &writer)
    }
  }

  private func write(
    _ plan: IntegerPlan, _ values: UnsafePointer<Int64>, count: Int,
    of original: UnsafePointer<Int64>, first: Int64?, into writer: inout ByteWriter
  ) {
    let codeOffset = writer.count - 1
    writer.varint(UInt64(first == nil ? count : count + 1))
    var used = 0
    if let first {
      writer.varint(IntegerCodec.zigzag(first))
      used = writeSums(original, count: count + 1, into: &writer)
    }
    var source = values
    var sourceCount = count
    if let mode = plan.mode {
      writer.bytes[codeOffset] |= IntegerCodec.sparse
      writer.varint(IntegerCodec.zigzag(mode))
      sourceCount = writeBitmap(values, count: count, mode: mode, into: body + used)
      source = UnsafePointer(rest)
      used += (count + 7) >> 3
    }
    let mask = BitPacking.mask(plan.width)
    var exceptions = 0
    var greatest: UInt64 = 0
    for index in 0..<sourceCount {
      let distance = source[index] &- plan.base
      let field = UInt64(bitPattern: distance)
      if field <= mask {
        fields[index] = field
      } else {
        fields[index] = 0
        let outlier = IntegerCodec.zigzag(distance)
        outliers[exceptions] = outlier
        greatest = max(greatest, outlier)
        positions[exceptions] = UInt16(truncatingIfNeeded: index)
        exceptions += 1
      }
    }
    let outlierWidth = BitPacking.width(for: greatest)
    BitPacking.pack(fields, count: sourceCount, width: plan.width, into: body + used)
    used += BitPacking.byteCount(sourceCount, width: plan.width)
    for index in 0..<exceptions {
      (body + used + index * 2).storeBytes(of: positions[index].littleEndian, as: UInt16.self)
    }
    used += exceptions * 2
    BitPacking.pack(outliers, count: exceptions, width: outlierWidth, into: body + used)
    used += BitPacking.byteCount(exceptions, width: outlierWidth)

    writer.varint(IntegerCodec.zigzag(plan.base))
    writer.byte(UInt8(plan.width))
    if plan.mode != nil { writer.varint(UInt64(sourceCount)) }
    writer.varint(UInt64(exceptions))
    if exceptions > 0 { writer.byte(UInt8(outlierWidth)) }
    let plainBody = UnsafeRawBufferPointer(start: body, count: used)
    if used >= 64, let small = Compression.compress(plainBody, limit: used - used / 8) {
      writer.bytes[codeOffset] |= IntegerCodec.compressed
      writer.varint(UInt64(used))
      writer.append(small)
    } else {
      writer.append(plainBody)
    }
  }

  /// Writes the width of the checkpoints to the writer, and the checkpoints to the start of the
  /// body.
  private func writeSums(
    _ values: UnsafePointer<Int64>, count: Int, into writer: inout ByteWriter
  ) -> Int {
    let sums = (count - 1) / IntegerCodec.sumStep
    if sums == 0 { return 0 }
    var greatest: UInt64 = 0
    for index in 0..<sums {
      let distance = values[(index + 1) * IntegerCodec.sumStep] &- values[0]
      outliers[index] = IntegerCodec.zigzag(distance)
      greatest = max(greatest, outliers[index])
    }
    let width = BitPacking.width(for: greatest)
    writer.byte(UInt8(width))
    BitPacking.pack(outliers, count: sums, width: width, into: body)
    return BitPacking.byteCount(sums, width: width)
  }

  /// Writes the bitmap and moves the numbers that differ from the mode to `rest`.
  ///
  /// Returns their count.
  private func writeBitmap(
    _ values: UnsafePointer<Int64>, count: Int, mode: Int64, into body: UnsafeMutableRawPointer
  ) -> Int {
    var kept = 0
    var index = 0
    var position = 0
    while index < count {
      var word: UInt64 = 0
      let end = min(index + 64, count)
      var bit: UInt64 = 0
      while index < end {
        let value = values[index]
        let differs: UInt64 = value == mode ? 0 : 1
        rest[kept] = value
        kept &+= Int(differs)
        word |= differs &<< bit
        bit &+= 1
        index &+= 1
      }
      body.storeBytes(of: word.littleEndian, toByteOffset: position, as: UInt64.self)
      position += 8
    }
    return kept
  }
}
