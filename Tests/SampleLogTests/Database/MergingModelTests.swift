import SampleLog
import SampleLogSimulation
import Testing

/// Random workloads in which time passes, segments are merged in the background, and deletions are
/// forgotten, compared with an array and a filter.
@Suite struct MergingModelTests {
  @Test(arguments: 0..<Trials.count(8, quick: 2))
  func `Nothing that was deleted comes back, whatever is merged and forgotten`(share: Int) throws {
    var rises = 0
    for seed in share * 3..<share * 3 + 3 { rises += try run(seed) }
    #expect(rises > 0, "something is forgotten")
  }

  /// Runs a workload; returns how often deletions were forgotten.
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
        // Opening merges, too.
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

/// Says whether the floor is a deletion that may be forgotten.
private struct FloorJudge {
  let retention: Double
  private(set) var rises = 0
  private var floor: UInt64 = 0
  /// When each deletion was first seen.
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
      #expect(times[floor].map { $0 < now - retention } == true, "the floor is an old deletion")
      let needed = workload.database.acknowledgements.values.min() ?? .max
      #expect(floor <= needed, "nobody needs it")
    }
  }
}

extension Workload {
  /// Acknowledges some place from the floor on for one of two subscriptions, or removes one.
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
