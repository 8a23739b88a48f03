/// Writable columns in one allocation; once filled, they are read through ``Block``.
@usableFromInline
package struct ColumnPointers: @unchecked Sendable {
  @usableFromInline package var sequence: UnsafeMutablePointer<UInt64>
  @usableFromInline package var id: UnsafeMutablePointer<Identifier>
  @usableFromInline package var start: UnsafeMutablePointer<Double>
  @usableFromInline package var end: UnsafeMutablePointer<Double>
  @usableFromInline package var value: UnsafeMutablePointer<Double>
  @usableFromInline package var unit: UnsafeMutablePointer<Symbol>
  @usableFromInline package var source: UnsafeMutablePointer<Symbol>
  @usableFromInline package var device: UnsafeMutablePointer<Symbol>
  @usableFromInline package var extras: UnsafeMutablePointer<UInt32>
  @usableFromInline package var blobs: UnsafeMutablePointer<Blob>
  @usableFromInline package var target: UnsafeMutablePointer<UInt64>
  @usableFromInline package var time: UnsafeMutablePointer<Double>
}

extension ColumnPointers {
  /// Returns the columns starting at a row.
  ///
  /// Blobs are not advanced, because rows refer to them by number.
  func advanced(by rows: Int) -> ColumnPointers {
    ColumnPointers(
      sequence: sequence + rows, id: id + rows, start: start + rows, end: end + rows,
      value: value + rows, unit: unit + rows, source: source + rows, device: device + rows,
      extras: extras + rows, blobs: blobs, target: target + rows, time: time + rows)
  }

  /// Copies a row's columns except extras, whose blob numbers are valid in their own block only.
  @inline(__always)
  func copyRow(_ from: ColumnPointers, _ row: Int, to target: Int, hasTargets: Bool) {
    sequence[target] = from.sequence[row]
    id[target] = from.id[row]
    start[target] = from.start[row]
    end[target] = from.end[row]
    value[target] = from.value[row]
    unit[target] = from.unit[row]
    source[target] = from.source[row]
    device[target] = from.device[row]
    guard hasTargets else { return }
    self.target[target] = from.target[row]
    time[target] = from.time[row]
  }

  /// Copies a row's extras to the end of the blobs, without copying the blob's bytes.
  @inline(__always)
  func copyExtras(_ from: ColumnPointers, _ row: Int, to target: Int, _ blobs: inout Int) {
    extras[target] = 0
    guard from.extras[row] > 0 else { return }
    self.blobs[blobs] = from.blobs[Int(from.extras[row]) - 1]
    blobs += 1
    extras[target] = UInt32(blobs)
  }
}

/// The memory for the columns of up to `capacity` rows, freed with the object.
///
/// Each cell is written at most once, by the single thread that fills the storage and before the
/// row is published to readers. After that it never changes. Columns that are not in `columns`
/// share one dummy address and must not be accessed.
package final class ColumnStorage: @unchecked Sendable {
  package let capacity: Int
  package let columns: ColumnSet
  package let pointers: ColumnPointers
  /// The streams that the identifiers are numbered in, or empty if the column holds the identifiers
  /// themselves.
  private(set) var streams = UnsafeBufferPointer<IdentifierStream>(start: nil, count: 0)
  // Owners of the blobs' bytes: arenas, or arrays handed over by the caller.
  private var kept: [AnyObject] = []
  private let memory: UnsafeMutableRawPointer
  // The owner of the memory, or nil if this object allocated it.
  private let owner: AnyObject?

  package convenience init(
    capacity: Int, columns: ColumnSet = .all, blobCapacity: Int? = nil
  ) {
    self.init(capacity: capacity, columns: columns, blobCapacity: blobCapacity) { size in
      (UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16), nil)
    }
  }

  /// Creates storage in memory that the caller provides, together with the owner that keeps it
  /// alive.
  init(
    capacity: Int, columns: ColumnSet, blobCapacity: Int? = nil,
    memory: (Int) -> (UnsafeMutableRawPointer, AnyObject?)
  ) {
    self.capacity = capacity
    self.columns = columns
    var size = 16
    func reserve(_ column: ColumnSet, _ stride: Int, _ count: Int) -> Int {
      guard columns.contains(column) else { return 0 }
      let offset = size
      size += (stride * count + 15) & ~15
      return offset
    }
    let id = reserve(.id, 16, capacity)
    let sequence = reserve(.sequence, 8, capacity)
    let start = reserve(.start, 8, capacity)
    let end = reserve(.end, 8, capacity)
    let value = reserve(.value, 8, capacity)
    let target = reserve(.target, 8, capacity)
    let time = reserve(.target, 8, capacity)
    let blobs = reserve(.extras, MemoryLayout<Blob>.stride, blobCapacity ?? capacity)
    let unit = reserve(.unit, 4, capacity)
    let source = reserve(.source, 4, capacity)
    let device = reserve(.device, 4, capacity)
    let extras = reserve(.extras, 4, capacity)
    let (memory, owner) = memory(size)
    self.memory = memory
    self.owner = owner
    func at<T>(_ offset: Int, _ type: T.Type) -> UnsafeMutablePointer<T> {
      (memory + offset).assumingMemoryBound(to: T.self)
    }
    pointers = ColumnPointers(
      sequence: at(sequence, UInt64.self), id: at(id, Identifier.self),
      start: at(start, Double.self), end: at(end, Double.self), value: at(value, Double.self),
      unit: at(unit, Symbol.self), source: at(source, Symbol.self),
      device: at(device, Symbol.self), extras: at(extras, UInt32.self),
      blobs: at(blobs, Blob.self), target: at(target, UInt64.self), time: at(time, Double.self))
  }

  deinit {
    if owner == nil { memory.deallocate() }
  }

  /// Keeps an object alive for as long as this storage.
  package func keep(_ object: AnyObject) { kept.append(object) }

  /// Declares that the identifier column holds numbers in the given streams, and retains the
  /// streams.
  func setStreams(_ shared: SharedStreams) {
    keep(shared)
    streams = shared.streams
  }

  /// Declares that the identifier column has the representation of `block`, which this storage
  /// already retains.
  func setStreams(of block: Block) { streams = block.streams }
}
