package import SampleLog

/// The reference store: the simplest possible implementation, an array and a filter.
package struct Reference: Sendable {
  package private(set) var records: [Record] = []
  /// The last sequence number of an accepted commit.
  package private(set) var end: UInt64 = 0
  /// The possible next sequence numbers.
  ///
  /// Failed commits may have used some.
  package var nexts: [UInt64] = [1]
  package private(set) var acknowledgements: [String: UInt64] = [:]
  /// The lower bound of the floor, which never decreases.
  package var floor: UInt64 = 0
  /// The highest possible floor after a compaction in progress.
  package var highestFloor: UInt64 = 0
  /// The additions and deletions in commit order.
  package private(set) var feed: [Entry] = []

  /// The sequence number of each subject's last erasure.
  package private(set) var erasures: [Int: UInt64] = [:]

  package struct Entry: Sendable {
    package var sequence: UInt64
    package var record: Int
    package var isDeletion: Bool
  }

  package init() {}

  /// The indices of live records in commit order.
  package var alive: [Int] { records.indices.filter { records[$0].deletedAt == nil } }

  /// The live samples in commit order, without child rows.
  package var samples: [Record] { alive.map { records[$0] }.filter { $0.parent == nil } }

  /// Returns the live child rows of a record in commit order.
  package func children(of id: Identifier) -> [Record] {
    alive.map { records[$0] }.filter { $0.parent == id }
  }

  /// Returns whether there is a live record with an identifier.
  package func isAlive(_ id: Identifier) -> Bool {
    records.contains { $0.id == id && $0.deletedAt == nil }
  }

  /// Applies a commit, given its first sequence number.
  package mutating func apply(_ change: Edit, first: UInt64) {
    var next = first
    for id in change.deletions + change.childDeletions {
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
    if let subject = change.erasure {
      erase(subject, next, change.time)
      next += 1
    }
    end = next - 1
    nexts = [next]
  }

  private mutating func erase(_ subject: Int, _ sequence: UInt64, _ time: Double) {
    func isErased(_ record: Int) -> Bool {
      records[record].series / Comparison.types.count == subject
    }
    for index in alive where isErased(index) {
      records[index].deletedAt = sequence
      records[index].deletionTime = time
    }
    feed.removeAll { isErased($0.record) }
    erasures[subject] = sequence
  }

  /// Records a failed commit, whose sequence numbers may have been used.
  package mutating func fail(_ change: Edit) {
    let used = nexts.map { $0 + UInt64(change.count) }
    nexts = Array(Set(nexts + used)).sorted()
  }

  /// Returns the highest floor that a compaction at a time may set.
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
