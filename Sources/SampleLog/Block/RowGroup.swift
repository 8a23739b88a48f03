/// Rows of any subjects and types in commit order, without sequence numbers.
///
/// The commit assigns consecutive sequence numbers to the rows of a group.
package struct RowGroup: Sendable {
  package var subject: [Symbol] = []
  package var type: [Symbol] = []
  package var id: [Identifier] = []
  package var start: [Double] = []
  package var end: [Double] = []
  package var value: [Double] = []
  package var unit: [Symbol] = []
  package var source: [Symbol] = []
  package var device: [Symbol] = []
  /// For each row, the number of its blob plus one, or 0 if the row has no extras.
  package var extras: [UInt32] = []
  package var blobs: [[UInt8]] = []
  /// Deletions only: the sequence numbers of the samples to delete.
  package var target: [UInt64] = []
  private var blobNumbers: [ByteKey: UInt32] = [:]

  package init() {}

  package var count: Int { id.count }

  package mutating func reserveCapacity(_ rows: Int) {
    subject.reserveCapacity(rows)
    type.reserveCapacity(rows)
    id.reserveCapacity(rows)
    start.reserveCapacity(rows)
    end.reserveCapacity(rows)
    value.reserveCapacity(rows)
    unit.reserveCapacity(rows)
    source.reserveCapacity(rows)
    device.reserveCapacity(rows)
    extras.reserveCapacity(rows)
  }

  /// Returns the number to store in `extras` for a blob, adding the blob if it is new.
  package mutating func intern(blob bytes: [UInt8]) -> UInt32 {
    if bytes.isEmpty { return 0 }
    let key = ByteKey(bytes)
    if let known = blobNumbers[key] { return known }
    blobs.append(bytes)
    let number = UInt32(blobs.count)
    blobNumbers[key] = number
    return number
  }

  /// Returns the number for a blob that no other row of the group shares.
  ///
  /// Skips the search for duplicates, which hashes all bytes of the blob.
  package mutating func number(ofOwnBlob bytes: [UInt8]) -> UInt32 {
    if bytes.isEmpty { return 0 }
    blobs.append(bytes)
    return UInt32(blobs.count)
  }

  /// Appends the deletion of a row as a copy of it.
  ///
  /// Pass false for `hasExtras` if no reader needs the extras of the deletion.
  package mutating func appendDeletion(of row: Row, hasExtras: Bool = true) {
    append(row, of: row.subject, target: row.sequence, hasExtras: hasExtras)
  }

  /// Appends a deletion of the given subject's sample `target`, with the columns of a row.
  mutating func append(
    _ row: Row, of subject: Symbol, target: UInt64, hasExtras: Bool = true
  ) {
    let block = row.block
    self.subject.append(subject)
    type.append(block.type)
    id.append(row.id)
    start.append(block.start[row.row])
    end.append(block.end[row.row])
    value.append(block.value[row.row])
    unit.append(block.unit[row.row])
    source.append(block.source[row.row])
    device.append(block.device[row.row])
    let blob = block.extras(at: row.row)
    extras.append(blob.isEmpty || !hasExtras ? 0 : intern(blob: [UInt8](blob)))
    self.target.append(target)
  }

  /// Returns a copy of the group without the rows at the given positions.
  package func removing(_ positions: Set<Int>) -> RowGroup {
    var result = self
    func keep<T>(_ column: [T]) -> [T] {
      column.enumerated().compactMap { positions.contains($0.offset) ? nil : $0.element }
    }
    result.subject = keep(subject)
    result.type = keep(type)
    result.id = keep(id)
    result.start = keep(start)
    result.end = keep(end)
    result.value = keep(value)
    result.unit = keep(unit)
    result.source = keep(source)
    result.device = keep(device)
    result.extras = keep(extras)
    return result
  }
}
