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
  private var blobNumbers: [ByteKey: UInt32] = [:]
  // The numbers that blobs of the block copied from last have here, 0 for those not met yet.
  private var origin: Block?
  private var translation: [UInt32] = []

  /// How many rows make a block full, 4096 at most.
  private let limit: Int

  package init(limit: Int = Block.maximumRows) { self.limit = limit }

  package var count: Int { sequence.count }

  /// Bytes of all blobs.
  private var blobByteCount = 0

  /// Whether a block should not have more: decoding takes the memory of all its blobs at once, and
  /// a column of a gigabyte could not be read again.
  package var isFull: Bool {
    count >= limit || blobByteCount >= Block.fullBlobByteCount
  }

  /// Returns the number to store in `extras` for a blob.
  package mutating func number(ofBlob bytes: [UInt8]) -> UInt32 {
    if bytes.isEmpty { return 0 }
    let key = ByteKey(bytes)
    if let known = blobNumbers[key] { return known }
    blobs.append(bytes)
    blobByteCount += bytes.count
    let number = UInt32(blobs.count)
    blobNumbers[key] = number
    return number
  }

  /// Appends copies of rows of a decoded block, which must have every column of its kind, until
  /// there are enough for a block.
  ///
  /// - Returns: The rows that are left.
  package mutating func append(_ block: Block, _ rows: Range<Int>) -> Range<Int> {
    if origin !== block {
      origin = block
      translation.removeAll(keepingCapacity: true)
    }
    // Extras first: their bytes may be what makes a block full.
    let room = max(0, limit - count)
    let first = rows.lowerBound
    var end = first
    while end < rows.upperBound, end - first < room, blobByteCount < Block.fullBlobByteCount {
      let number = Int(block.extras[end])
      extras.append(number == 0 ? 0 : translate(number, block, end))
      end += 1
    }
    func run<T>(_ column: UnsafePointer<T>) -> UnsafeBufferPointer<T> {
      UnsafeBufferPointer(start: column + first, count: end - first)
    }
    sequence.append(contentsOf: run(block.sequence))
    block.id.append(first..<end, to: &id)
    start.append(contentsOf: run(block.start))
    self.end.append(contentsOf: run(block.end))
    value.append(contentsOf: run(block.value))
    unit.append(contentsOf: run(block.unit))
    source.append(contentsOf: run(block.source))
    device.append(contentsOf: run(block.device))
    if block.kind == .deletion {
      target.append(contentsOf: run(block.target))
      time.append(contentsOf: run(block.time))
    }
    return end..<rows.upperBound
  }

  private mutating func translate(_ number: Int, _ block: Block, _ row: Int) -> UInt32 {
    if number < translation.count, translation[number] > 0 { return translation[number] }
    let result = self.number(ofBlob: [UInt8](block.extras(at: row)))
    while translation.count <= number { translation.append(0) }
    translation[number] = result
    return result
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
    origin = nil
    translation.removeAll(keepingCapacity: true)
  }
}
