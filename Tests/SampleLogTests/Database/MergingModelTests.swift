import SampleLog
import SampleLogSimulation
import Testing

/// Random workloads with advancing time, background merges and forgotten deletions, compared with a
/// filtered array.
@Suite struct MergingModelTests {
  @Test(arguments: 0..<Trials.count(8, quick: 1))
  func `A deleted sample never returns, whatever is merged and forgotten`(share: Int) throws {
    var rises = 0
    for seed in share * 3..<share * 3 + 3 { rises += try run(seed) }
    #expect(rises > 0, "some deletions are forgotten")
  }

  /// Runs a workload and returns the number of times that the floor rose.
  private func run(_ seed: Int) throws -> Int {
    let clock = Locked(0.0)
    let retention = [0, 100, 300][seed % 3] as Double
    var workload = try Workload(seed: UInt64(seed) + 2000) { options in
      options.sealsInBackground = true
      options.sealRowCount = [20, 50, 1_000_000][seed / 3 % 3]
      options.segmentRowCount = [1000, 2500][seed % 2]
      options.deletionRetention = .seconds(retention)
      options.clock = { clock.withLock { $0 } }
    }
    var judge = FloorJudge(retention: retention)
    for step in 0..<60 {
      clock.withLock { $0 += Double(step % 7) * 10 }
      if step % 5 == 4 {
        try workload.expire(atOnce: 10_000)
      } else {
        try workload.step()
      }
      if step % 3 == 2 { try workload.database.seal() }
      workload.database.waitForBackgroundWork()
      if step % 9 == 8 { try workload.acknowledge() }
      judge.look(workload, now: clock.withLock { $0 })
      if step % 10 == 9 {
        try workload.reopen(closing: step % 20 == 9)
        // Opening also merges.
        workload.database.waitForBackgroundWork()
        judge.look(workload, now: clock.withLock { $0 })
      }
      try workload.check()
    }
    try workload.reopen(closing: true)
    workload.database.waitForBackgroundWork()
    try workload.check()
    #expect(try Verification(path: "store", fileSystem: workload.fileSystem).isGood)
    return judge.rises
  }
}

/// Checks that the floor is a deletion that may be forgotten.
private struct FloorJudge {
  let retention: Double
  private(set) var rises = 0
  private var floor: UInt64 = 0
  /// The time at which each deletion was first seen.
  private var times: [UInt64: Double] = [:]

  init(retention: Double) { self.retention = retention }

  mutating func look(_ workload: Workload, now: Double) {
    for record in workload.model.records {
      if let at = record.deletedAt, times[at] == nil { times[at] = now }
    }
    let snapshot = workload.database.snapshot()
    #expect(snapshot.floor >= floor)
    if snapshot.floor > floor {
      rises += 1
      floor = snapshot.floor
      #expect(times[floor].map { $0 < now - retention } == true, "the floor is a recent deletion")
      let needed = workload.database.acknowledgements.values.min() ?? .max
      #expect(floor <= needed, "a subscription needs the floor's deletion")
    }
  }
}

extension Workload {
  /// Acknowledges a position at or above the floor for one of two subscriptions, or removes one.
  mutating func acknowledge() throws {
    let name = ["phone", "watch"].randomElement(using: &random) ?? ""
    let places = database.acknowledgements
    if places[name] != nil, Int.random(in: 0..<3, using: &random) == 0 {
      try database.removeAcknowledgement(name)
    } else {
      let least = places[name] ?? database.snapshot().floor
      guard least <= model.end else { return }
      try database.acknowledge(name, through: UInt64.random(in: least...model.end, using: &random))
    }
    model.skip()
  }
}
