internal import SampleLog

/// A cache of the ranks of rows by origin: source, device, and whether a user entered the row.
struct OriginCache {
  private struct Entry {
    var device: Symbol
    var rank: Int
  }

  private let reader: RowReader
  /// The rank of the latest row that no user entered, by source.
  private var entries: [Entry?] = []
  /// Whether a user entered the rows, by their extras in the current block.
  private var entered: [UInt32: Bool] = [:]
  private var block: ObjectIdentifier?

  init(_ reader: RowReader) { self.reader = reader }

  /// Returns the cached rank of a row, or nil if its origin must be read.
  mutating func rank(_ block: Block, _ row: Int, in snapshot: Snapshot) throws -> Int? {
    let source = Int(block.source[row])
    guard source < entries.count, let entry = entries[source], entry.device == block.device[row],
      try block.extras[row] == 0 || !wasUserEntered(block, row, in: snapshot)
    else { return nil }
    return entry.rank
  }

  /// Returns the origin of a row.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the row is corrupt.
  mutating func origin(
    _ block: Block, _ row: Int, in snapshot: Snapshot
  ) throws -> SourcePriority.Origin {
    let (source, device) = (block.source[row], block.device[row])
    guard reader.hasSourceRevision(source) else {
      throw snapshot.damaged(Row(block, row), "a source that makes no sense")
    }
    guard reader.hasDevice(device) else {
      throw snapshot.damaged(Row(block, row), "a device that makes no sense")
    }
    let revision = reader.sourceRevision(source)
    return SourcePriority.origin(
      of: revision.source, productType: revision.productType, device: reader.device(device),
      wasUserEntered: try wasUserEntered(block, row, in: snapshot))
  }

  /// Caches the rank of a row whose origin was read.
  mutating func keep(_ rank: Int, _ block: Block, _ row: Int) {
    if entered[block.extras[row]] == true { return }
    let source = Int(block.source[row])
    if source >= entries.count {
      entries.append(contentsOf: repeatElement(nil, count: source + 1 - entries.count))
    }
    entries[source] = Entry(device: block.device[row], rank: rank)
  }

  /// Inserts a rank.
  ///
  /// Ranks at or after it increase by one.
  mutating func insertRank(_ rank: Int) {
    for source in entries.indices {
      if let old = entries[source]?.rank, old >= rank { entries[source]?.rank = old + 1 }
    }
  }

  private mutating func wasUserEntered(
    _ block: Block, _ row: Int, in snapshot: Snapshot
  ) throws -> Bool {
    let extras = block.extras[row]
    if extras == 0 { return false }
    if self.block != ObjectIdentifier(block) {
      self.block = ObjectIdentifier(block)
      entered.removeAll(keepingCapacity: true)
    }
    if let known = entered[extras] { return known }
    let metadata = block.metadata(at: row)
    var answer = false
    do {
      if !metadata.isEmpty, !metadata.isPlainText {
        answer = try MetadataCoding.isTrue(HKMetadataKeyWasUserEntered, in: metadata)
      }
    } catch {
      throw snapshot.damaged(Row(block, row), "metadata that makes no sense")
    }
    entered[extras] = answer
    return answer
  }
}
