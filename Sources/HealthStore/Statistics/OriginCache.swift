internal import SampleLog

/// The ranks of rows by what decides about them: source, device, and whether a user entered them.
struct OriginCache {
  private struct Entry {
    var device: Symbol
    var rank: Int
  }

  private let reader: RowReader
  /// By source, of rows that no user entered: what the last such row had.
  private var entries: [Entry?] = []
  /// Whether a user entered the rows with certain extras of the block.
  private var entered: [UInt32: Bool] = [:]
  private var block: ObjectIdentifier?

  init(_ reader: RowReader) { self.reader = reader }

  /// The rank of a row; nil where its origin must be looked at.
  mutating func rank(_ block: Block, _ row: Int, in snapshot: Snapshot) throws -> Int? {
    let source = Int(block.source[row])
    guard source < entries.count, let entry = entries[source], entry.device == block.device[row],
      try block.extras[row] == 0 || !wasUserEntered(block, row, in: snapshot)
    else { return nil }
    return entry.rank
  }

  /// The origin of a row.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when the row makes no sense.
  mutating func origin(
    _ block: Block, _ row: Int, in snapshot: Snapshot
  ) throws -> SourcePriority.Origin {
    let (source, device) = (block.source[row], block.device[row])
    guard reader.hasSourceRevision(source) else {
      throw snapshot.damaged(RowReference(block, row), "a source that makes no sense")
    }
    guard reader.hasDevice(device) else {
      throw snapshot.damaged(RowReference(block, row), "a device that makes no sense")
    }
    let revision = reader.sourceRevision(source)
    return SourcePriority.origin(
      of: revision.source, productType: revision.productType, device: reader.device(device),
      wasUserEntered: try wasUserEntered(block, row, in: snapshot))
  }

  /// Keeps the rank of a row of an origin that was looked at.
  mutating func keep(_ rank: Int, _ block: Block, _ row: Int) {
    if entered[block.extras[row]] == true { return }
    let source = Int(block.source[row])
    if source >= entries.count {
      entries.append(contentsOf: repeatElement(nil, count: source + 1 - entries.count))
    }
    entries[source] = Entry(device: block.device[row], rank: rank)
  }

  /// Makes room for a rank.
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
      throw snapshot.damaged(RowReference(block, row), "metadata that makes no sense")
    }
    entered[extras] = answer
    return answer
  }
}
