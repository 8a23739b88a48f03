import SampleLog

extension Execution {
  /// Samples that one commit of an expiry deletes; few, so that there are several commits.
  static let expiryBatchCount = 3

  /// Compacts, and before anything is rewritten deletes a sample without waiting for the disk.
  ///
  /// What is left out for a deletion must not be gone when the deletion is lost with power.
  func compactBeside() throws -> [Reference] {
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
    // Where nothing had to be rewritten nothing has made the deletion durable.
    unsynced = [before]
    return during
  }

  /// Expires a third of one person's samples, some of them in each commit.
  func expire() throws -> [Reference] {
    guard let database, !reference.alive.isEmpty else { return [] }
    let person = reference.records.count % workload.people
    let alive = reference.alive.map { reference.records[$0] }
      .filter { $0.series / Comparison.types.count == person }
    guard !alive.isEmpty else { return [] }
    let cutoff = alive.map(\.end).sorted()[alive.count / 3]
    let expected = Set(alive.filter { $0.end < cutoff }.map(\.id))
    let position = database.end
    let subject = String(decoding: Comparison.subject(person), as: UTF8.self)
    let result = try database.expire([ExpiryRule(subject: subject, endingBefore: cutoff)])
    // The feed says in which order they went.
    let gone = try disk.unobserved {
      try database.snapshot().changes(after: Anchor(sequence: position)).changes.map(\.row.id)
    }
    // What belongs to samples is in their commits, and not counted.
    let samples = Set(reference.samples.map(\.id)).intersection(expected)
    guard Set(gone) == expected, gone.count == expected.count, result.sampleCount == samples.count
    else { throw fail("\(gone.count) of \(expected.count) expired, told \(result.sampleCount)") }
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
