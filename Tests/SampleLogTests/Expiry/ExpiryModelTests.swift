import SampleLog
import SampleLogSimulation
import Testing

/// Random workloads with expiry among their steps, compared with an array and a filter.
@Suite struct ExpiryModelTests {
  @Test(arguments: 0..<Trials.count(24, quick: 3))
  func `Expiry deletes what a filter of an array omits`(seed: Int) throws {
    let batch = [7, 100, 10_000][seed % 3]
    var workload = try Workload(seed: UInt64(seed) + 1000) { options in
      options.expiryBatchCount = batch
      options.sealRowCount = [50, 700, 1_000_000][seed / 2 % 3]
      options.segmentRowCount = [500, 20_000][seed % 2]
      options.blockRowCount = [16, 4096][seed / 3 % 2]
    }
    for step in 0..<40 {
      try workload.step()
      if step % 4 == 3 { try workload.expire(atOnce: batch) }
    }
    try workload.check()
    try workload.database.compact()
    try workload.check()
    try workload.reopen(closing: true)
    try workload.check()
    #expect(try Verification(path: "store", fileSystem: workload.fileSystem).isGood)
  }
}

extension Workload {
  /// Expires samples that ended before a time, of one type or of all, in commits of a given size.
  mutating func expire(atOnce batch: Int) throws {
    let reach = Double(model.end) * 10 + 1000
    let cutoff = Double.random(in: -6000...reach, using: &random) * 0.7
    let type = Bool.random(using: &random) ? Self.types.randomElement(using: &random) : nil
    let rules = [ExpiryRule(subject: "ada", type: type, endingBefore: cutoff)]
    let expected = model.state().filter { record in
      record.end < cutoff && type.map { $0 == record.type } ?? true
    }
    let place = database.end
    let foreseen = try database.snapshot().expired(by: rules)
    let result = try database.expire(rules)
    #expect(foreseen == result.series)
    #expect(result.sampleCount == expected.count)
    #expect(result.commitCount == (expected.count + batch - 1) / batch)
    // The feed gives the order of the deletions, the model their set.
    let changes = try database.snapshot().changes(after: Anchor(sequence: place)).changes
    #expect(changes.allSatisfy { $0.kind == .deletion })
    let gone = changes.map(\.row.id)
    #expect(gone.count == expected.count)
    #expect(Set(gone) == Set(expected.map(\.id)))
    model.commit([], deleted: gone)
    #expect(database.end == model.end)
  }
}
