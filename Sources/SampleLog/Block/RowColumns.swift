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
  private var blobBytes = 0

  package init() {}

  package var count: Int { sequence.count }

  /// Whether a block should not have more: decoding takes the memory of all its blobs at once, and
  /// a column of a gigabyte could not be read again.
  package var isFull: Bool {
    count >= Segment.maximumBlockRows || blobBytes >= Segment.blockBlobBytes
  }

  /// Returns the number to store in `extras` for a blob.
  package mutating func number(ofBlob bytes: [UInt8]) -> UInt32 {
    if bytes.isEmpty { return 0 }
    if let known = blobNumbers[bytes] { return known }
    blobs.append(bytes)
    blobBytes += bytes.count
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
    blobNumbers.removeAll(keepingCapacity: true)
    blobBytes = 0
  }
}
