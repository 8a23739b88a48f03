/// Rows of one subject, type and kind under construction, column by column.
///
/// This is what a segment writer encodes a block from and what a batch collects rows in.
package struct RowColumns {
  package var sequence: [UInt64] = []
  package var id: [Identifier] = []
  package var start: [Double] = []
  package var end: [Double] = []
  package var value: [Double] = []
  package var unit: [Symbol] = []
  package var source: [Symbol] = []
  package var device: [Symbol] = []
  /// For each row the number of its blob plus one; 0 means none.
  package var extras: [UInt32] = []
  /// Distinct blobs in order of first use.
  package var blobs: [[UInt8]] = []
  /// Filled for deletions only.
  package var target: [UInt64] = []
  package var time: [Double] = []
  private var blobNumbers: [[UInt8]: UInt32] = [:]

  package init() {}

  package var count: Int { sequence.count }

  /// Bytes of all blobs.
  private var blobByteCount = 0
  /// A block is decoded whole, so few rows with much metadata are a block by themselves.
  package static let maximumBlobBytes = 16 << 20

  /// Whether the rows are enough for a block.
  package var isFull: Bool {
    count >= Segment.maximumBlockRows || blobByteCount >= Self.maximumBlobBytes
  }

  /// Returns the number to store in `extras` for a blob.
  package mutating func number(ofBlob bytes: [UInt8]) -> UInt32 {
    if bytes.isEmpty { return 0 }
    if let known = blobNumbers[bytes] { return known }
    blobs.append(bytes)
    blobByteCount += bytes.count
    let number = UInt32(blobs.count)
    blobNumbers[bytes] = number
    return number
  }

  /// Appends a copy of a row of a decoded block, which must have every column of its kind.
  package mutating func append(_ block: Block, _ row: Int) {
    sequence.append(block.sequence[row])
    id.append(block.id[row])
    start.append(block.start[row])
    end.append(block.end[row])
    value.append(block.value[row])
    unit.append(block.unit[row])
    source.append(block.source[row])
    device.append(block.device[row])
    let blob = block.extras(at: row)
    extras.append(blob.isEmpty ? 0 : number(ofBlob: [UInt8](blob)))
    if block.kind == .deletion {
      target.append(block.target[row])
      time.append(block.time[row])
    }
  }

  package mutating func removeAll() {
    sequence.removeAll(keepingCapacity: true)
    id.removeAll(keepingCapacity: true)
    start.removeAll(keepingCapacity: true)
    end.removeAll(keepingCapacity: true)
    value.removeAll(keepingCapacity: true)
    unit.removeAll(keepingCapacity: true)
    source.removeAll(keepingCapacity: true)
    device.removeAll(keepingCapacity: true)
    extras.removeAll(keepingCapacity: true)
    target.removeAll(keepingCapacity: true)
    time.removeAll(keepingCapacity: true)
    blobs.removeAll(keepingCapacity: true)
    blobByteCount = 0
    blobNumbers.removeAll(keepingCapacity: true)
  }
}
