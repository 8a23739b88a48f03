/// A sorted index of the rows of a segment with a sync identifier, by the upper half of its key.
package struct SyncKeyIndex {
  /// The size of an entry in bytes: the upper half of a key and a row, 32 bits each.
  static let entryLength = 8

  static func encode(keys: [UInt64], rows: [UInt32]) -> [UInt8] {
    let entries = zip(keys, rows).map { $0 & ~0xFFFF_FFFF | UInt64($1) }.sorted()
    var writer = ByteWriter(reserving: entries.count * entryLength)
    for entry in entries {
      writer.fixed(UInt32(truncatingIfNeeded: entry >> 32))
      writer.fixed(UInt32(truncatingIfNeeded: entry))
    }
    return writer.bytes
  }

  private let bytes: UnsafeRawBufferPointer
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer, segmentRows: Int) throws(CodecError) {
    self.bytes = bytes
    count = bytes.count / SyncKeyIndex.entryLength
    guard bytes.count % SyncKeyIndex.entryLength == 0, count <= segmentRows else {
      throw CodecError("impossible length of the sync key index")
    }
  }

  private func half(_ index: Int, _ offset: Int) -> UInt32 {
    UInt32(
      littleEndian: bytes.loadUnaligned(
        fromByteOffset: index * SyncKeyIndex.entryLength + offset, as: UInt32.self))
  }

  /// Returns the rows whose keys may equal the given one, in ascending order.
  func rows(_ key: UInt64) -> [Int] {
    let wanted = UInt32(truncatingIfNeeded: key >> 32)
    var low = (0..<count).partition { half($0, 0) < wanted }
    var rows: [Int] = []
    while low < count, half(low, 0) == wanted {
      rows.append(Int(half(low, 4)))
      low += 1
    }
    return rows
  }
}
