/// Up to 4,096 rows of the memtable in commit order: of one series, or of many small ones.
///
/// Rows are appended after `count`, which the memtable's lock guards. Rows before it never change,
/// so blocks that readers hold share the memory.
final class MemTableChunk: @unchecked Sendable {
  static let maximumRows = 4096

  let storage: ColumnStorage
  private(set) var count = 0
  /// The zone map of the rows, if they belong to one series.
  private(set) var zone = ZoneMap()
  private var blobCount = 0
  private var blobNumbers: [ByteKey: UInt32] = [:]

  init(capacity: Int, kind: RowKind, _ memory: inout ChunkMemory) {
    storage = Self.storage(capacity: capacity, kind, &memory)
  }

  private static func storage(
    capacity: Int, _ kind: RowKind, _ memory: inout ChunkMemory
  ) -> ColumnStorage {
    let columns = kind == .sample ? ColumnSet.all.subtracting(.target) : .all
    if capacity < maximumRows { return ColumnStorage(capacity: capacity, columns: columns) }
    return ColumnStorage(capacity: capacity, columns: columns) { memory.take($0) }
  }

  /// Copies a full chunk into a larger one.
  init(growing other: MemTableChunk, kind: RowKind, _ memory: inout ChunkMemory) {
    let capacity = min(other.storage.capacity * 4, Self.maximumRows)
    storage = Self.storage(capacity: capacity, kind, &memory)
    count = other.count
    zone = other.zone
    blobCount = other.blobCount
    blobNumbers = other.blobNumbers
    let from = other.storage.pointers
    for row in 0..<count {
      storage.pointers.copyRow(from, row, to: row, hasTargets: kind == .deletion)
    }
    storage.pointers.extras.update(from: from.extras, count: count)
    storage.pointers.blobs.update(from: from.blobs, count: blobCount)
    // The bytes of the blobs are shared with the old chunk.
    storage.keep(other.storage)
  }

  var isFull: Bool { count == storage.capacity }

  /// Appends copies of rows of a group; the chunk must have room for them.
  ///
  /// `sequence` is the sequence number of the group's first row.
  func append(
    _ group: RowGroup, _ rows: UnsafeBufferPointer<Int32>, _ kind: RowKind, sequence: UInt64,
    time: Double
  ) {
    let to = storage.pointers
    let position = count
    // Rows are in ascending order, so they are adjacent if first and last are that far apart.
    let first = Int(rows[0])
    let isRun = Int(rows[rows.count - 1]) - first == rows.count - 1
    func gather<T: BitwiseCopyable>(_ column: [T], _ target: UnsafeMutablePointer<T>) {
      column.withUnsafeBufferPointer { column in
        let target = UnsafeMutableBufferPointer(start: target + position, count: rows.count)
        if isRun {
          _ = target.update(fromContentsOf: column[first..<first + rows.count])
        } else {
          for index in 0..<rows.count { target[index] = column[Int(rows[index])] }
        }
      }
    }
    gather(group.id, to.id)
    gather(group.start, to.start)
    gather(group.end, to.end)
    gather(group.value, to.value)
    gather(group.unit, to.unit)
    gather(group.source, to.source)
    gather(group.device, to.device)
    for offset in 0..<rows.count {
      to.sequence[position &+ offset] = sequence &+ UInt64(truncatingIfNeeded: rows[offset])
    }
    if kind == .deletion {
      gather(group.target, to.target)
      (to.time + position).update(repeating: time, count: rows.count)
    }
    gather(group.extras, to.extras)
    if !group.blobs.isEmpty { numberBlobs(group, position..<position + rows.count) }
    count += rows.count
  }

  /// Appends a copy of another chunk's row; the chunk must have room for it.
  func append(row: Int, of other: MemTableChunk, _ kind: RowKind) {
    let from = other.storage.pointers
    storage.pointers.copyRow(from, row, to: count, hasTargets: kind == .deletion)
    storage.pointers.copyExtras(from, row, to: count, &blobCount)
    if from.extras[row] > 0 { storage.keep(other.storage) }
    count += 1
  }

  /// Replaces the blob numbers of a group with the chunk's own, with one look-up per blob.
  private func numberBlobs(_ group: RowGroup, _ rows: Range<Int>) {
    var numbers = [UInt32](repeating: 0, count: group.blobs.count + 1)
    for row in rows {
      let blob = Int(storage.pointers.extras[row])
      if blob > 0, numbers[blob] == 0 { numbers[blob] = intern(blob: group.blobs[blob - 1]) }
      storage.pointers.extras[row] = numbers[blob]
    }
  }

  /// Returns the number of a blob in the chunk, and stores its bytes if they are new.
  private func intern(blob bytes: [UInt8]) -> UInt32 {
    let new = UInt32(blobCount) + 1
    // A single hash look-up serves both new and known blobs.
    func number(_ entry: inout UInt32) -> UInt32 { entry }
    let number = number(&blobNumbers[ByteKey(bytes), default: new])
    guard number == new else { return number }
    let memory = BlobMemory(bytes)
    storage.keep(memory)
    storage.pointers.blobs[blobCount] = Blob(address: memory.address, count: bytes.count)
    blobCount += 1
    return new
  }

  /// Extends the zone map by the last `rows` rows.
  func include(last rows: Int) {
    let columns = storage.pointers.advanced(by: count - rows)
    zone.include(rows, start: columns.start, end: columns.end, sequence: columns.sequence)
  }
}

extension MemTableChunk {
  /// Returns a block of some of the rows, without copying them.
  func block(
    _ rows: Range<Int>, _ key: SeriesKey, _ kind: RowKind, _ symbols: SymbolTable
  ) -> Block {
    Block(
      subject: key.subject, type: key.type, kind: kind, count: rows.count,
      columns: storage.columns, symbols: symbols,
      pointers: storage.pointers.advanced(by: rows.lowerBound), owner: storage)
  }

  /// Returns the number of rows with sequence numbers through `end`.
  func count(through end: UInt64) -> Int {
    let sequence = storage.pointers.sequence
    if count > 0, sequence[count - 1] <= end { return count }
    return (0..<count).partition { sequence[$0] <= end }
  }
}

extension [MemTableChunk] {
  /// Returns the last chunk, after growing it or adding another if it is full.
  mutating func withRoom(
    first capacity: Int, _ kind: RowKind, _ memory: inout ChunkMemory
  ) -> MemTableChunk {
    if let last, !last.isFull { return last }
    let next: MemTableChunk
    if let last, last.count < MemTableChunk.maximumRows {
      next = MemTableChunk(growing: last, kind: kind, &memory)
      removeLast()
    } else {
      let capacity = isEmpty ? capacity : MemTableChunk.maximumRows
      next = MemTableChunk(capacity: capacity, kind: kind, &memory)
    }
    append(next)
    return next
  }
}

/// The bytes of one blob, freed on deallocation.
private final class BlobMemory: @unchecked Sendable {
  let address: UnsafeRawPointer

  init(_ bytes: [UInt8]) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
    bytes.withUnsafeBytes {
      memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: bytes.count)
    }
    address = UnsafeRawPointer(memory)
  }

  deinit { address.deallocate() }
}
