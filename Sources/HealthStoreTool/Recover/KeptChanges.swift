import HealthStore
import SampleLog

/// A change in a kept store that another copy of the store lacks.
enum KeptChange {
  /// A sample that the other copy does not have.
  case sample(Row)
  /// A row, such as an attachment or a link, that was added to a sample that both copies have.
  case addition(Row, to: Row)
  /// The other copy's row of a sample that the kept store has deleted.
  case deletion(Row)
}

/// Compares the commits of a kept store, such as those of a replaced primary, with another copy.
///
/// Rows from before the split are not compared: if the other copy does not have them, it has
/// deleted them.
final class KeptChanges {
  /// The numbers of samples that the kept store has and that are no ``KeptChange``.
  struct LeftOut {
    /// The samples that the other copy has, in the same or a later version.
    var known = 0
    /// The samples that the other copy has deleted since the split.
    var deleted = 0
    /// The samples of subjects that the other copy has erased since the split.
    var erased = 0
  }

  /// The last sequence number that denotes the same record in both copies, or 0 if there is none.
  let split: UInt64
  let kept: Snapshot
  let store: Snapshot
  private(set) var leftOut = LeftOut()
  private let start: Anchor
  /// The directory of the kept store, for errors.
  private let path: String
  private let admits: (Block, Int) throws -> Bool
  /// The names of the subjects whose samples are left out, because the other copy erased them.
  private let erased: Set<[UInt8]>
  /// The other copy's series for each series of the kept store.
  private var keys: [SeriesKey: SeriesKey] = [:]
  /// The identifiers that the other copy has deleted since the split, by its series.
  private var deletions: [SeriesKey: Set<Identifier>] = [:]
  /// The deletions found so far; a sample that was saved again may have several.
  private var deleted: Set<Identifier> = []

  /// Creates a comparison with the current contents of another copy.
  ///
  /// - Parameters:
  ///   - kept: The kept store.
  ///   - store: The other copy.
  ///   - includesErased: Whether samples of subjects that the other copy has erased are included.
  ///   - admits: Returns whether a sample of the kept store can be decoded.
  init(
    _ kept: Database, _ store: Database, includesErased: Bool,
    where admits: @escaping (Block, Int) throws -> Bool
  ) {
    path = kept.path
    self.kept = kept.snapshot()
    self.store = store.snapshot()
    self.admits = admits
    let split = self.kept.sharedEnd(with: self.store)
    self.split = split
    // Reading after an anchor below the floor is an error; reading from the beginning is not.
    start = split < self.kept.floor ? .beginning : kept.anchor(at: split)
    erased = includesErased ? [] : Self.erased(self.store, after: split)
  }

  /// Returns the names of the subjects that a copy has erased after a sequence number.
  private static func erased(_ snapshot: Snapshot, after sequence: UInt64) -> Set<[UInt8]> {
    Set(
      snapshot.erasures.values.filter { $0.sequence > sequence }
        .map { snapshot.symbols.name($0.subject) })
  }

  /// Whether the other copy may have forgotten deletions and erasures since the split.
  var hasForgotten: Bool { store.floor > split }

  /// Returns the subjects that the kept store has erased since the split and that have samples in
  /// the other copy.
  func subjectsToErase() throws -> [String] {
    let names = Self.erased(kept, after: split)
    if names.isEmpty { return [] }
    return try store.subjects().map { store.symbols.name($0.subject) }.filter(names.contains)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls a function with each change that the other copy lacks, in commit order.
  ///
  /// - Throws: The errors of the function, and ``StoreError/damaged(file:offset:reason:)`` if one
  ///   of the stores cannot be read.
  func forEach(_ body: (KeptChange) throws -> Void) throws {
    var filter = RowFilter()
    filter.condition = { [split] block, row in block.sequence[row] > split }
    filter.conditionColumns = .sequence
    var anchor = start
    while true {
      let page = try StoreOpening.using(path) {
        try kept.changes(after: anchor, in: nil, where: filter, limit: 4096)
      }
      for change in page.changes {
        if let found = try compare(change.row) { try body(found) }
      }
      anchor = page.anchor
      if !page.hasMore { return }
    }
  }

  /// Returns the change that a row is, or counts it and returns nil.
  private func compare(_ row: Row) throws -> KeptChange? {
    let isChild = kept.symbols.isChildType(row.block.type)
    if row.kind == .deletion { return isChild ? nil : try deletion(row) }
    let isKnown = try store.row(row.id) != nil
    if isChild { return isKnown ? nil : try addition(row) }
    if try isKnown || isSuperseded(row) {
      leftOut.known += 1
    } else if erased.contains(kept.symbols.name(row.subject)) {
      leftOut.erased += 1
    } else if try isDeleted(row) {
      leftOut.deleted += 1
    } else if try admits(row.block, row.row) {
      return .sample(row)
    }
    return nil
  }

  /// Returns an addition to a sample that both copies have, or nil for a row of any other sample.
  private func addition(_ row: Row) throws -> KeptChange? {
    guard let id = try kept.extras(of: row).memberOf.first, let parent = try kept.row(id),
      let other = try store.row(id), other.key == key(parent), other.start == parent.start,
      other.end == parent.end, try !isDeleted(row)
    else { return nil }
    return .addition(row, to: parent)
  }

  /// Returns the deletion of a sample that the other copy has, or nil for any other deletion.
  private func deletion(_ row: Row) throws -> KeptChange? {
    guard try kept.row(row.id) == nil, let other = try store.row(row.id), other.key == key(row),
      deleted.insert(row.id).inserted
    else { return nil }
    // A version that a later one has replaced is deleted when the later one is saved.
    let version = try store.extras(of: other).syncIdentifier
    if try !version.isEmpty && kept.row(row.key, syncIdentifier: version) != nil { return nil }
    return .deletion(other)
  }

  /// Returns whether the other copy has the same or a later version of a sample.
  private func isSuperseded(_ row: Row) throws -> Bool {
    let extras = try kept.extras(of: row)
    guard !extras.syncIdentifier.isEmpty, let key = key(row),
      let other = try store.row(key, syncIdentifier: extras.syncIdentifier)
    else { return false }
    return try store.extras(of: other).syncVersion >= extras.syncVersion
  }

  private func isDeleted(_ row: Row) throws -> Bool {
    guard let key = key(row) else { return false }
    let found = try deletions[key] ?? store.deleted(in: key, after: split)
    deletions[key] = found
    return found.contains(row.id)
  }

  /// Returns the other copy's series of a row, or nil if it has never had one.
  private func key(_ row: Row) -> SeriesKey? {
    if let known = keys[row.key] { return known }
    guard let subject = store.symbols.find(kept.symbols.name(row.subject)),
      let type = store.symbols.find(kept.symbols.name(row.block.type))
    else { return nil }
    let key = SeriesKey(subject: subject, type: type)
    keys[row.key] = key
    return key
  }
}
