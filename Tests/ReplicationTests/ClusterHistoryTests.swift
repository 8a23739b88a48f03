import Testing

@testable import SampleLogSimulation

/// Whole histories of a cluster; `make replicas` runs thousands of them.
@Suite struct ClusterHistoryTests {
  @Test(arguments: 0..<24)
  func `Every guarantee holds for any faults of machines and stream`(seed: UInt64) {
    let cluster = SimulatedCluster(ClusterPlan(seed: seed))
    cluster.run()
    #expect(cluster.breaches == [])
  }

  /// Seeds of histories in which a former version broke a guarantee.
  @Test(arguments: [
    // A primary read the record of its successor after an older end of the stream, and took its
    // next commit for published.
    50_004_202,
    // Messages of a replaced history, which precede the messages with erased samples, were taken
    // for the sign that the stream had none.
    70_000_876,
    // The promotion of a replica whose epoch the stream had lost, and in which another epoch
    // continued, never ended.
    100_060_445,
    // A replaced primary published erased samples again after the stream was lost.
    100_065_017,
    // After the stream was lost, a replaced primary published first and fenced the newest one.
    100_087_896,
    // A replica being promoted removed erased data and the log that it would publish next, and
    // reported damage.
    100_159_921,
    // The promotion of a copy from a backup published commits whose predecessors the primary was
    // still publishing, and the primary took these for published.
    100_223_029,
    // After the stream was lost and had a gap, a publisher removed logs after the position in the
    // marker file.
    100_333_625,
    // The stream had removed messages that a replica lacked, and the next one was incomplete. The
    // replica was promoted.
    101_588_230,
  ])
  func `A history that once failed passes`(seed: UInt64) {
    let cluster = SimulatedCluster(ClusterPlan(seed: seed))
    cluster.run()
    #expect(cluster.breaches == [])
  }

  @Test func `Writers that delete the logs of a published store are detected`() {
    let isDetected = (UInt64(0)..<24).contains { seed in
      var plan = ClusterPlan(seed: seed)
      plan.hidesPublication = true
      let cluster = SimulatedCluster(plan)
      cluster.run()
      return cluster.breaches.contains { $0.contains("no log has") }
    }
    #expect(isDetected)
  }

  @Test func `Histories contain the faults that they exist to try`() {
    var figures = ClusterFigures()
    for seed in 0..<60 {
      let cluster = SimulatedCluster(ClusterPlan(seed: UInt64(seed)))
      cluster.run()
      figures += cluster.figures
    }
    #expect(figures.replicated > 0 && figures.promotions > 0 && figures.deaths > 0)
    #expect(figures.offline > 0 && figures.restored > 0 && figures.repaired > 0)
    #expect(figures.lost > 0 && figures.losses > 0 && figures.unpublished > 0)
    #expect(figures.pages > 0 && figures.refusals > 0 && figures.kept > 0)
    #expect(figures.erased > 0)
  }

  @Test func `A released cluster leaves no memory behind`() {
    weak var files: AnyObject?
    do {
      let cluster = SimulatedCluster(ClusterPlan(seed: 7))
      cluster.run()
      files = cluster.files
      #expect(files != nil)
    }
    #expect(files == nil)
  }
}
