/// Up to 4,096 rows of one series of the memtable, in the order of their sequence numbers.
///
/// Rows are written once behind `count`, which the memtable's lock guards; rows before it never
/// change, so blocks handed to readers share the memory.
final class MemTableChunk: @unchecked Sendable {
  static let maximumRows = 4096

  let storage: ColumnStorage
  private(set) var count = 0
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

  /// Copies a chunk that has become too small.
  init(growing other: MemTableChunk, kind: RowKind, _ memory: inout ChunkMemory) {
    let capacity = min(other.storage.capacity * 4, Self.maximumRows)
    storage = Self.storage(capacity: capacity, kind, &memory)
    let from = other.storage.pointers
    let to = storage.pointers
    count = other.count
    zone = other.zone
    blobCount = other.blobCount
    blobNumbers = other.blobNumbers
    to.sequence.update(from: from.sequence, count: count)
    to.id.update(from: from.id, count: count)
    to.start.update(from: from.start, count: count)
    to.end.update(from: from.end, count: count)
    to.value.update(from: from.value, count: count)
    to.unit.update(from: from.unit, count: count)
    to.source.update(from: from.source, count: count)
    to.device.update(from: from.device, count: count)
    to.extras.update(from: from.extras, count: count)
    to.blobs.update(from: from.blobs, count: blobCount)
    if kind == .deletion {
      to.target.update(from: from.target, count: count)
      to.time.update(from: from.time, count: count)
    }
    // The blobs' bytes stay where they are.
    storage.keep(other.storage)
  }

  var isFull: Bool { count == storage.capacity }

  /// Returns the number to store for a blob, keeping its bytes once.
  func number(ofBlob bytes: [UInt8]) -> UInt32 {
    let key = ByteKey(bytes)
    if let known = blobNumbers[key] { return known }
    let memory = BlobMemory(bytes)
    storage.keep(memory)
    storage.pointers.blobs[blobCount] = Blob(address: memory.address, count: bytes.count)
    blobCount += 1
    blobNumbers[key] = UInt32(blobCount)
    return UInt32(blobCount)
  }

  /// Counts rows whose cells have been written.
  func finishRows(_ rows: Int) {
    let columns = storage.pointers
    var zone = zone
    for row in count..<count + rows {
      zone.include(
        start: columns.start[row], end: columns.end[row], sequence: columns.sequence[row])
    }
    self.zone = zone
    count += rows
  }
}

/// Bytes of one blob, freed with the object.
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
