import SampleLogSimulation
import Testing

/// A small form of `make images`.
@Suite struct SimulationTests {
  @Test func `Every workload of up to two steps survives a crash after every operation`() throws {
    var explorer = Explorer()
    for length in 1...2 {
      for number in 0..<Enumeration.count(length: length) {
        try explorer.explore(
          Enumeration.workload(length: length, number: number), from: length - 1)
      }
    }
    #expect(explorer.counts.distinct > 300)
    #expect(explorer.counts.recoveries.allSatisfy { $0 > 0 })
  }

  @Test func `Every write of a small workload may be torn at every byte`() throws {
    var effort = Explorer.Effort()
    effort.step = 1
    var explorer = Explorer(effort)
    try explorer.explore(Workload([.save(1), .exchange]))
    var coarse = Explorer()
    try coarse.explore(Workload([.save(1), .exchange]))
    #expect(explorer.counts.distinct > coarse.counts.distinct)
  }

  @Test func `Every call of every one-step workload may fail`() throws {
    var explorer = Explorer()
    for number in 0..<Enumeration.count(length: 1) {
      for workload in try Enumeration.faulty(Enumeration.workload(length: 1, number: number)) {
        try explorer.explore(workload, isAfterFault: true)
      }
    }
    #expect(explorer.counts.errors > 300)
  }

  @Test(arguments: Trials.first(2, of: Enumeration.buffered))
  func `Every call of a workload with buffered saves may fail`(workload: Workload) throws {
    var explorer = Explorer()
    for one in try Enumeration.faulty(workload) {
      try explorer.explore(one, isAfterFault: true)
    }
    #expect(explorer.counts.errors > 30)
  }

  @Test(arguments: 1...UInt64(Trials.count(3, quick: 2)))
  func `A random workload survives crashes and errors`(seed: UInt64) throws {
    var workload = Enumeration.random(seed: seed)
    workload.steps = Array(workload.steps.prefix(20))
    var explorer = Explorer()
    try explorer.explore(workload)
    #expect(explorer.counts.distinct > 100)
  }

  @Test(arguments: 0..<UInt64(Trials.count(4, quick: 1)))
  func `A deletion that merging forgets leaves no sample in any file`(share: UInt64) throws {
    var explorer = Explorer()
    for seed in share * 6..<share * 6 + 6 { try explorer.run(Enumeration.merging(seed: seed)) }
    #expect(explorer.counts.queries > 1000)
  }

  @Test(arguments: UInt64(1)...2)
  func `A random workload that merges survives crashes`(seed: UInt64) throws {
    var workload = Enumeration.merging(seed: seed)
    workload.steps = Array(workload.steps.prefix(24))
    var explorer = Explorer()
    try explorer.explore(workload)
    #expect(explorer.counts.distinct > 100)
  }

  @Test func `A sample that a compaction leaves out stays deleted after a power cut`()
    throws
  {
    // Two segments give the compaction something to rewrite; the deletion is in the log.
    let workload = try #require(Workload("seed=1 retention=20 steps=s3,l,s2,l,w"))
    var explorer = Explorer()
    try explorer.explore(workload)
    #expect(explorer.counts.distinct > 20)
  }

  @Test(arguments: UInt64(0)...3)
  func `A merging workload is deterministic for its seed`(seed: UInt64) throws {
    var explorer = Explorer()
    try explorer.exploreTwice(Enumeration.merging(seed: seed))
    #expect(explorer.counts.repeated == 1)
  }

  @Test func `Different seeds give different merging workloads`() {
    let workloads = (0..<200 as Range<UInt64>).map { seed in
      var workload = Enumeration.merging(seed: seed)
      workload.seed = 0
      return workload
    }
    #expect(Set(workloads).count == 200)
  }

  @Test(arguments: 100..<UInt64(Trials.count(108, quick: 104)))
  func `A workload is deterministic for its seed`(seed: UInt64) throws {
    var explorer = Explorer()
    try explorer.exploreTwice(Enumeration.random(seed: seed))
    #expect(explorer.counts.repeated == 1)
  }

  @Test func `Different seeds give different workloads`() throws {
    let runs = try [UInt64(1), 2].map { seed in
      let execution = Execution(Enumeration.random(seed: seed), keepsLog: true)
      try execution.run()
      return execution.log
    }
    #expect(runs[0] != runs[1])
  }

  /// Workloads that failed in former versions.
  @Test(arguments: [
    // The second frame of a torn write returned in place of a later frame.
    "seed=500 retention=1 steps=a,m,s1,s1",
    // Creating a log failed late, and the old log took another commit.
    "seed=1 faults=syncDirectory@2:EIO steps=s1,l,s1",
    // A compaction failed late, and the file of the next one had the same generation.
    "seed=1 faults=syncDirectory@6:EIO steps=s1,l,s1,l,c,s1,l,c",
    "seed=1 faults=rename@6:EIO:odd steps=s1,l,s1,l,c,s1,l,c",
    // A failed save could be neither truncated nor followed by another log. The next process found
    // it, synced the aborted commit, and showed it.
    "seed=770 retention=1 faults=sync@3x2:EIO,truncate@1:EIO steps=s1,k",
    "seed=770 retention=1 faults=sync@3x3:ENOSPC steps=s1,r",
    // After buffered saves and a failed one, the next log recorded them all as durable too early.
    "seed=3 faults=write@5:EIO steps=b1,b1,s1,x",
    "seed=3 faults=sync@3:EIO steps=b1,b1,s1,s1",
    // Frames that failed were truncated and returned in blocks that the next process reused.
    "seed=17 retention=1 faults=sync@3:ENOSPC steps=s3",
    "seed=49 retention=1 faults=sync@3x3:ENOSPC steps=m",
    // The disk dropped buffered saves, and the next save reported a damaged store.
    "seed=1 faults=sync@3:ENOSPC:odd steps=b1,f,s1",
    // A deletion in a log counted a sample as deleted that the segment did not contain.
    "seed=4294967300 rows=8 faults=read@14:EIO:odd steps=s28,r,e,r,c,x,c",
    // Among samples with equal start dates the first was reported as newest after the last was
    // deleted.
    "seed=4294967309 retention=0 steps=s3,s4,s1,s2,s4,v,s1,s1,v",
  ])
  func `A workload that once failed passes`(text: String) throws {
    let workload = try #require(Workload(text))
    var explorer = Explorer()
    try explorer.explore(workload)
  }
}
