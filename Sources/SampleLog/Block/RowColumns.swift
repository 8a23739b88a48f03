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
  // The numbers that blobs of the block copied from last have here, 0 for those not met yet.
  private var origin: Block?
  private var translation: [UInt32] = []

  package init() {}

  package var count: Int { sequence.count }

  /// Returns the number to store in `extras` for a blob.
  package mutating func number(ofBlob bytes: [UInt8]) -> UInt32 {
    if bytes.isEmpty { return 0 }
    if let known = blobNumbers[bytes] { return known }
    blobs.append(bytes)
    let number = UInt32(blobs.count)
    blobNumbers[bytes] = number
    return number
  }

  /// Appends copies of rows of a decoded block, which must have every column of its kind.
  package mutating func append(_ block: Block, _ rows: Range<Int>) {
    func run<T>(_ column: UnsafePointer<T>) -> UnsafeBufferPointer<T> {
      UnsafeBufferPointer(start: column + rows.lowerBound, count: rows.count)
    }
    sequence.append(contentsOf: run(block.sequence))
    id.append(contentsOf: run(block.id))
    start.append(contentsOf: run(block.start))
    end.append(contentsOf: run(block.end))
    value.append(contentsOf: run(block.value))
    unit.append(contentsOf: run(block.unit))
    source.append(contentsOf: run(block.source))
    device.append(contentsOf: run(block.device))
    if block.kind == .deletion {
      target.append(contentsOf: run(block.target))
      time.append(contentsOf: run(block.time))
    }
    if origin !== block {
      origin = block
      translation.removeAll(keepingCapacity: true)
    }
    extras.reserveCapacity(extras.count + rows.count)
    for row in rows {
      let number = Int(block.extras[row])
      extras.append(number == 0 ? 0 : translate(number, block, row))
    }
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
    blobNumbers.removeAll(keepingCapacity: true)
    origin = nil
    translation.removeAll(keepingCapacity: true)
  }
}
