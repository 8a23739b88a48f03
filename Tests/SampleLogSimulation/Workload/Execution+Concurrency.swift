import SampleLog

/// Performs the steps that commit while a compaction or an expiry runs.
extension Execution {
  /// The number of samples per commit of an expiry; small, so that there are several commits.
  static let expiryBatchCount = 3

  /// Compacts, and deletes a sample with buffered durability before any rewriting begins.
  ///
  /// Data omitted because of a deletion must not be missing if the deletion is lost in a power cut.
  func compactConcurrently() throws -> [Reference] {
    guard let oldest = reference.samples.first else { return try forget { try $0.compact() } }
    let edit = deletion(of: oldest)
    var before = reference
    var failure: (any Error)?
    var isDone = false
    var during = try forget { database in
      try database.compact(progress: { _ in
        if isDone { return }
        isDone = true
        do { _ = try commit(edit, isBuffered: true) } catch { failure = error }
      })
    }
    if let failure { throw failure }
    before.highestFloor = max(reference.floor, before.highestFloor)
    var after = reference
    after.floor = before.floor
    after.highestFloor = before.highestFloor
    during += [before, after]
    // If no segment was rewritten, the deletion is not durable.
    unsynced = [before]
    return during
  }

  /// Expires a third of one subject's samples, in several commits.
  func expire() throws -> [Reference] {
    guard let database, !reference.alive.isEmpty else { return [] }
    let number = reference.records.count % workload.subjects
    let alive = reference.alive.map { reference.records[$0] }
      .filter { $0.series / Comparison.types.count == number }
    guard !alive.isEmpty else { return [] }
    let cutoff = alive.map(\.end).sorted()[alive.count / 3]
    let expected = Set(alive.filter { $0.end < cutoff }.map(\.id))
    let position = database.end
    let subject = String(decoding: Comparison.subject(number), as: UTF8.self)
    let result = try database.expire([ExpiryRule(subject: subject, endingBefore: cutoff)])
    // The feed reveals the order of deletions.
    let gone = try disk.unobserved {
      try database.snapshot().changes(after: Anchor(sequence: position)).changes.map(\.row.id)
    }
    // Child rows are deleted in their parents' commits and not counted.
    let samples = Set(reference.samples.map(\.id)).intersection(expected)
    guard Set(gone) == expected, gone.count == expected.count, result.sampleCount == samples.count
    else {
      throw fail("\(gone.count) of \(expected.count) expired, reported \(result.sampleCount)")
    }
    var during: [Reference] = []
    var edit = Edit(time: clock.now)
    var count = 0
    for (position, id) in gone.enumerated() {
      edit.deletions.append(id)
      if samples.contains(id) { count += 1 }
      let next = position + 1
      let isLast =
        next == gone.count || count == Self.expiryBatchCount && samples.contains(gone[next])
      guard isLast else { continue }
      reference.apply(edit, first: reference.end + 1)
      during.append(reference)
      edit.deletions = []
      count = 0
    }
    if !gone.isEmpty { unsynced = [] }
    return during
  }
}
