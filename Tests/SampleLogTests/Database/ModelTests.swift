import SampleLog
import SampleLogSimulation
import Testing

/// Random workloads that always include sealing, compaction, crashes and deletions.
@Suite struct ModelTests {
  @Test(arguments: 0..<Trials.count(24, quick: 8))
  func `The store answers as a filtered array does`(seed: Int) throws {
    var workload = try Workload(seed: UInt64(seed)) { options in
      options.sealRowCount = [50, 700, 1_000_000][seed % 3]
      options.segmentRowCount = [500, 20_000][seed % 2]
      options.blockCacheByteCount = [1, 1 << 20][seed / 2 % 2]
      options.identifierIndexByteCount = [0, 1 << 20][seed / 4 % 2]
    }
    for _ in 0..<40 { try workload.step() }
    try workload.check()
    try workload.database.compact()
    try workload.check()
    try workload.reopen(closing: true)
    try workload.check()
    #expect(try Verification(path: "store", fileSystem: workload.fileSystem).isGood)
  }
}
