/// The encoding `DELTA_BINARY_PACKED`: differences in blocks, packed relative to their minimum.
enum DeltaEncoder {
  private static let blockCount = 128
  private static let miniblockCount = 32

  /// Returns the encoded numbers.
  static func encode(_ numbers: [Int64]) -> [UInt8] {
    var result: [UInt8] = []
    result.append(varint: UInt64(blockCount))
    result.append(varint: UInt64(blockCount / miniblockCount))
    result.append(varint: UInt64(numbers.count))
    result.append(zigzag: numbers.first ?? 0)
    var packer = BitPacker()
    var differences: [Int64] = []
    differences.reserveCapacity(blockCount)
    var index = 1
    while index < numbers.count {
      let end = min(index + blockCount, numbers.count)
      differences.removeAll(keepingCapacity: true)
      // Differences wrap around, as do the sums that readers compute.
      for place in index..<end { differences.append(numbers[place] &- numbers[place - 1]) }
      append(differences, &packer, to: &result)
      index = end
    }
    return result
  }

  private static func append(
    _ differences: [Int64], _ packer: inout BitPacker, to result: inout [UInt8]
  ) {
    let least = differences.min() ?? 0
    result.append(zigzag: least)
    packer.removeAll()
    for start in stride(from: 0, to: blockCount, by: miniblockCount) {
      let end = min(start + miniblockCount, differences.count)
      guard start < end else {
        result.append(0)
        continue
      }
      let part = differences[start..<end]
      let all = part.reduce(0) { $0 | UInt64(bitPattern: $1 &- least) }
      let width = all.significantBits
      result.append(UInt8(width))
      for difference in part {
        packer.append(UInt64(bitPattern: difference &- least), width: width)
      }
      for _ in part.count..<miniblockCount { packer.append(0, width: width) }
    }
    packer.align()
    result += packer.bytes
  }
}
