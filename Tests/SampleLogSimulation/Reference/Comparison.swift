package import SampleLog

/// A comparison of an open store with a reference.
package struct Comparison {
  private let database: Database
  private let snapshot: Snapshot
  private let keys: [SeriesKey]
  private let salt: UInt64
  /// The number of queries performed.
  package private(set) var queries = 0

  /// The types of each subject: two of samples, and one of child rows of the second.
  package static let types: [[UInt8]] = [[0x61], [0x62], ChildType.name("c", of: "b")]
  /// Returns the name of a subject, given its number.
  package static func subject(_ subject: Int) -> [UInt8] { [0x70 + UInt8(subject)] }
  package static let unit: [UInt8] = [0x75]

  /// - Parameters:
  ///   - database: The store.
  ///   - salt: Selects the anchors of a long feed to test.
  ///   - subjects: The number of subjects.
  package init(_ database: Database, salt: UInt64, subjects: Int = 1) {
    self.database = database
    self.salt = salt
    snapshot = database.snapshot()
    keys = (0..<subjects).flatMap { number in
      let subject = database.symbols.intern(Self.subject(number))
      return Self.types.map { SeriesKey(subject: subject, type: database.symbols.intern($0)) }
    }
  }

  /// Returns a description of the first difference, or nil if there is none.
  ///
  /// - Parameters:
  ///   - reference: The expected contents.
  ///   - isFull: Whether to also read the feed from every sequence number and to perform queries.
  /// - Returns: The first difference.
  /// - Throws: The errors of the store.
  package mutating func difference(_ reference: Reference, isFull: Bool) throws -> String? {
    if snapshot.end < reference.end || snapshot.end >= reference.nexts[reference.nexts.count - 1] {
      return "it ends at \(snapshot.end), expected \(reference.end) up to before "
        + "\(reference.nexts[reference.nexts.count - 1])"
    }
    if snapshot.floor < reference.floor
      || snapshot.floor > max(reference.floor, reference.highestFloor)
    {
      return "the floor is \(snapshot.floor), expected \(reference.floor) to "
        + "\(max(reference.floor, reference.highestFloor))"
    }
    if let difference = try feedDifference(reference, after: 0, limit: nil) { return difference }
    if database.acknowledgements != reference.acknowledgements {
      return "acknowledgements \(database.acknowledgements), "
        + "expected \(reference.acknowledgements)"
    }
    guard isFull else { return nil }
    if let difference = try anchorDifference(reference) { return difference }
    return try queryDifference(reference)
  }

  // MARK: The feed

  private func feedDifference(
    _ reference: Reference, after anchor: UInt64, limit: Int?
  ) throws -> String? {
    var changes: [Change] = []
    var erasures: [UInt64] = []
    var position = Anchor(sequence: anchor)
    while true {
      let page = try snapshot.changes(after: position, limit: limit)
      changes += page.changes
      erasures += page.erasures.map(\.sequence)
      if page.anchor.sequence < position.sequence {
        return "the anchor went back from \(position) to \(page.anchor)"
      }
      position = page.anchor
      if !page.hasMore { break }
    }
    if position.sequence != snapshot.end {
      return "the feed ends at \(position), not at \(snapshot.end)"
    }
    // A reader that starts from 0 has read nothing that was erased. Erasures at or below the floor
    // may be missing.
    let known = anchor == 0 ? [] : reference.erasures.values.filter { $0 > anchor }.sorted()
    guard erasures.allSatisfy(known.contains), Set(erasures).count == erasures.count,
      known.allSatisfy({ $0 <= snapshot.floor || erasures.contains($0) })
    else { return "the feed after \(anchor) has erasures \(erasures), expected \(known)" }
    var next = 0
    for entry in reference.feed where entry.sequence > anchor {
      let record = reference.records[entry.record]
      if !entry.isDeletion, record.deletedAt != nil { continue }
      let isThere = next < changes.count && changes[next].sequence == entry.sequence
      // Deletions at or below the floor may be missing.
      if entry.isDeletion, entry.sequence <= snapshot.floor, !isThere { continue }
      guard isThere else {
        return "the feed after \(anchor) lacks \(entry.isDeletion ? "deletion" : "addition") "
          + "\(entry.sequence); it has \(changes.map(\.sequence))"
      }
      if let difference = rowDifference(changes[next].row, record, isDeletion: entry.isDeletion) {
        return difference
      }
      next += 1
    }
    if next < changes.count {
      return "the feed after \(anchor) has \(changes[next].sequence), which is nothing of ours"
    }
    return nil
  }

  private func rowDifference(
    _ reference: Row, _ record: Record, isDeletion: Bool
  ) -> String? {
    let block = reference.block
    let row = reference.row
    let isSame =
      block.id[row] == record.id && reference.key == keys[record.series]
      && block.start[row] == record.start && block.end[row] == record.end
      && block.value[row].bitPattern == record.value.bitPattern
      && (block.kind == .deletion) == isDeletion
      && (!isDeletion || block.target[row] == record.sequence)
      && block.extras(at: row).elementsEqual(
        isDeletion && record.parent != nil ? [] : record.extras)
      && database.symbols.name(block.unit[row]) == Self.unit
    return isSame ? nil : "row \(block.sequence[row]) is not what was saved"
  }

  /// Returns all anchors of a short feed.
  ///
  /// For a long feed, returns its ends and some others, because testing every anchor takes
  /// quadratic time.
  private func anchors() -> [UInt64] {
    let floor = snapshot.floor
    let end = snapshot.end
    if end - floor <= 24 { return Array(floor...end) }
    var random = Seeded(salt)
    let others = (0..<9).map { _ in floor + UInt64(random.below(Int(end - floor))) }
    return [floor, end - 1, end] + others
  }

  private mutating func anchorDifference(_ reference: Reference) throws -> String? {
    let end = snapshot.end
    for anchor in anchors() {
      queries += 1
      let limit = [nil, 1, 2][Int(anchor % 3)]
      if let difference = try feedDifference(reference, after: anchor, limit: limit) {
        return difference
      }
    }
    if snapshot.floor > 1 {
      do {
        _ = try snapshot.changes(after: Anchor(sequence: snapshot.floor - 1))
        return "the anchor \(snapshot.floor - 1) below the floor was answered"
      } catch StoreError.anchorExpired {}
    }
    do {
      _ = try snapshot.changes(after: Anchor(sequence: end + 1))
      return "an anchor beyond the end was answered"
    } catch StoreError.anchorFromTheFuture {}
    return nil
  }

  // MARK: Queries

  private mutating func queryDifference(_ reference: Reference) throws -> String? {
    for (series, key) in keys.enumerated() {
      let alive = reference.alive.map { reference.records[$0] }.filter { $0.series == series }
      let sorted = alive.sorted { ($0.start, $0.sequence) < ($1.start, $1.sequence) }
      let limit = 1 + Int(snapshot.end % 4)
      for isLimited in [false, true] {
        queries += 1
        let rows = try snapshot.select(
          [key], order: .start(ascending: true), limit: isLimited ? limit : nil)
        let expected = isLimited ? Array(sorted.prefix(limit)) : sorted
        if rows.map(\.sequence) != expected.map(\.sequence) { return "a sorted query differs" }
        for (row, record) in zip(rows, expected) {
          if let difference = rowDifference(row, record, isDeletion: false) { return difference }
        }
      }
      var filter = RowFilter()
      let middle = Double(snapshot.end) / 2
      filter.start = .from(middle)
      filter.value = { _ in .through(middle + 1) }
      let rows = try snapshot.select([key], where: filter, order: .end(ascending: false))
      let expected = alive.filter { $0.start >= middle && $0.value <= middle + 1 }
        .sorted { ($0.end, $0.sequence) > ($1.end, $1.sequence) }
      if rows.map(\.sequence) != expected.map(\.sequence) { return "a filtered query differs" }
      if try snapshot.newest(key)?.sequence
        != alive.max(by: { ($0.start, $0.sequence) < ($1.start, $1.sequence) })?.sequence
      {
        return "the newest of a type differs"
      }
      queries += 2
    }
    return try lookUpDifference(reference)
  }

  private mutating func lookUpDifference(_ reference: Reference) throws -> String? {
    for record in reference.records {
      queries += 1
      let row = try snapshot.row(record.id)
      if record.deletedAt == nil {
        guard let row, row.sequence == record.sequence else {
          return "the identifier of \(record.sequence) is not found"
        }
      } else if let row, !reference.isAlive(record.id) {
        return "\(row.sequence) is found, though \(record.sequence) was deleted"
      }
      if record.syncName > 0, record.deletedAt == nil {
        let found = try snapshot.row(keys[record.series], syncIdentifier: [record.syncName])
        if found?.sequence != record.sequence { return "a synchronisation key is not found" }
      }
    }
    return nil
  }
}
