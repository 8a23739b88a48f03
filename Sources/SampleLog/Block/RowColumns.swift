/// Rows of one subject, type and kind under construction, column by column.
///
/// The segment writer encodes blocks from these columns, and a batch collects its rows in them.
package struct RowColumns {
  package var sequence: [UInt64] = []
  package var id: [Identifier] = []
  package var start: [Double] = []
  package var end: [Double] = []
  package var value: [Double] = []
  package var unit: [Symbol] = []
  package var source: [Symbol] = []
  package var device: [Symbol] = []
  /// For each row, the number of its blob plus one, or 0 if the row has no extras.
  package var extras: [UInt32] = []
  /// The distinct blobs in order of first use.
  package var blobs: [[UInt8]] = []
  /// The sequence numbers of the deleted samples; empty unless the rows are deletions.
  package var target: [UInt64] = []
  package var time: [Double] = []
  private var blobNumbers: [ByteKey: UInt32] = [:]
  // Maps the blob numbers of the most recently copied block to numbers in this one; 0 marks a blob
  // that is not copied yet.
  private var origin: Block?
  private var translation: [UInt32] = []

  /// The number of rows at which a block is full, at most 4096.
  private let limit: Int

  package init(limit: Int = Block.maximumRows) { self.limit = limit }

  package var count: Int { sequence.count }

  /// The total size of the blobs, in bytes.
  private var blobByteCount = 0

  /// Whether the block is full, by rows or by the size of its blobs.
  ///
  /// Decoding loads all blobs of a block at once, and a column of a gigabyte could not be read
  /// back.
  package var isFull: Bool {
    count >= limit || blobByteCount >= Block.fullBlobByteCount
  }

  /// Returns the number to store in `extras` for a blob, adding the blob if it is new.
  package mutating func intern(blob bytes: [UInt8]) -> UInt32 {
    if bytes.isEmpty { return 0 }
    let key = ByteKey(bytes)
    if let known = blobNumbers[key] { return known }
    blobs.append(bytes)
    blobByteCount += bytes.count
    let number = UInt32(blobs.count)
    blobNumbers[key] = number
    return number
  }

  /// Appends copies of rows of a decoded block until this block is full.
  ///
  /// The decoded block must have every column of its kind.
  ///
  /// - Returns: The rows that were not copied.
  package mutating func append(_ block: Block, _ rows: Range<Int>) -> Range<Int> {
    if origin !== block {
      origin = block
      translation.removeAll(keepingCapacity: true)
    }
    // Extras come first, because the size of the blobs may determine how many rows fit.
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
    let result = self.intern(blob: [UInt8](block.extras(at: row)))
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
