package import SampleLog

/// The plainest store there is, to compare the real one with: an array and a filter.
package struct Reference: Sendable {
  package private(set) var records: [Record] = []
  /// The last sequence number of what was accepted.
  package private(set) var end: UInt64 = 0
  /// What the next sequence number may be: those of failed commits may have been used up.
  package var nexts: [UInt64] = [1]
  package private(set) var acknowledgements: [String: UInt64] = [:]
  /// The least floor that was seen, which it may never fall below.
  package var floor: UInt64 = 0
  /// The greatest floor that a compaction under way may bring.
  package var highestFloor: UInt64 = 0
  /// Additions and deletions in the order of their sequence numbers.
  package private(set) var feed: [Entry] = []

  /// The sequence number of each person's last erasure.
  package private(set) var erasures: [Int: UInt64] = [:]

  package struct Entry: Sendable {
    package var sequence: UInt64
    package var record: Int
    package var isDeletion: Bool
  }

  package init() {}

  /// The indices of live records, oldest first.
  package var alive: [Int] { records.indices.filter { records[$0].deletedAt == nil } }

  /// The live samples, oldest first; what belongs to others is none.
  package var samples: [Record] { alive.map { records[$0] }.filter { $0.owner == nil } }

  /// What belongs to a live record, in the order in which it was saved.
  package func owned(by id: Identifier) -> [Record] {
    alive.map { records[$0] }.filter { $0.owner == id }
  }

  /// Whether a live record has an identifier.
  package func isAlive(_ id: Identifier) -> Bool {
    records.contains { $0.id == id && $0.deletedAt == nil }
  }

  /// Takes a commit whose first record has a sequence number.
  package mutating func apply(_ change: Edit, first: UInt64) {
    var next = first
    for id in change.deletions + change.ownedDeletions {
      let index = records.lastIndex { $0.id == id && $0.deletedAt == nil }
      if let index {
        records[index].deletedAt = next
        records[index].deletionTime = change.time
        feed.append(Entry(sequence: next, record: index, isDeletion: true))
      }
      next += 1
    }
    for var record in change.additions {
      record.sequence = next
      feed.append(Entry(sequence: next, record: records.count, isDeletion: false))
      records.append(record)
      next += 1
    }
    if let (name, sequence) = change.acknowledgement {
      acknowledgements[name] = sequence
      next += 1
    }
    if let person = change.erasure {
      erase(person, next, change.time)
      next += 1
    }
    end = next - 1
    nexts = [next]
  }

  private mutating func erase(_ person: Int, _ sequence: UInt64, _ time: Double) {
    func isErased(_ record: Int) -> Bool {
      records[record].series / Comparison.types.count == person
    }
    for index in alive where isErased(index) {
      records[index].deletedAt = sequence
      records[index].deletionTime = time
    }
    feed.removeAll { isErased($0.record) }
    erasures[person] = sequence
  }

  /// Notes that a commit failed, whose sequence numbers may be used up.
  package mutating func fail(_ change: Edit) {
    let used = nexts.map { $0 + UInt64(change.count) }
    nexts = Array(Set(nexts + used)).sorted()
  }

  /// The greatest floor that a compaction at a time may bring.
  package func possibleFloor(time: Double, retention: Double) -> UInt64 {
    let needed = acknowledgements.values.min() ?? .max
    let forgettable = records.compactMap { record -> UInt64? in
      guard let at = record.deletedAt, record.deletionTime < time - retention, at <= needed else {
        return nil
      }
      return at
    }
    return max(floor, forgettable.max() ?? 0)
  }
}
