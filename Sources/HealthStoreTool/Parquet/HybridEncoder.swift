/// The encoding `RLE`: runs of equal numbers alternate with bit-packed groups of eight.
enum HybridEncoder {
  /// Returns the encoded numbers, each of which has at most `width` bits.
  static func encode<Number: FixedWidthInteger & UnsignedInteger>(
    _ numbers: [Number], width: Int
  ) -> [UInt8] {
    var result: [UInt8] = []
    if width == 0 {
      append(run: numbers.count, of: 0, width: 0, to: &result)
      return result
    }
    // A shorter run takes more space than packed numbers, because of the additional headers.
    let leastRun = max(8, 32 / width)
    var packer = BitPacker()
    var groupCount = 0
    numbers.withUnsafeBufferPointer { numbers in
      var index = 0
      while index < numbers.count {
        let number = numbers[index]
        var end = index + 1
        while end < numbers.count, numbers[end] == number { end += 1 }
        if end - index >= leastRun {
          append(&packer, &groupCount, to: &result)
          append(run: end - index, of: UInt64(number), width: width, to: &result)
          index = end
          continue
        }
        // Packs whole groups of eight; the last group may include numbers that follow the run.
        repeat {
          for place in index..<index + 8 {
            packer.append(place < numbers.count ? UInt64(numbers[place]) : 0, width: width)
          }
          groupCount += 1
          index += 8
        } while index + 8 <= end
      }
    }
    append(&packer, &groupCount, to: &result)
    return result
  }

  /// Appends a run of equal numbers.
  static func append(run count: Int, of number: UInt64, width: Int, to result: inout [UInt8]) {
    if count == 0 { return }
    result.append(varint: UInt64(count) << 1)
    for index in 0..<(width + 7) / 8 {
      result.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))))
    }
  }

  /// Appends the packed groups of eight numbers, with their header, and clears the packer.
  private static func append(
    _ packer: inout BitPacker, _ groupCount: inout Int, to result: inout [UInt8]
  ) {
    if groupCount == 0 { return }
    packer.align()
    result.append(varint: UInt64(groupCount) << 1 | 1)
    result += packer.bytes
    packer.removeAll()
    groupCount = 0
  }
}
