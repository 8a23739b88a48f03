/// The plan of a simulated cluster run, determined by one seed.
package struct ClusterPlan: Sendable {
  package let seed: UInt64
  /// The seed of each step.
  package let words: [UInt64]
  /// Whether the stream loses accepted messages.
  package let losesAccepted: Bool
  /// Whether nodes lose their disks.
  package let losesDisks: Bool
  /// Whether primaries repeatedly stall while others are promoted.
  package let isContested: Bool
  /// Whether sealed logs of primaries are removed while no program runs.
  package let removesLogs: Bool
  /// Whether stores of primaries are replaced by restored or repaired copies.
  package let copiesStores: Bool
  /// Whether programs without the stream do not detect that the store is published: a planted bug.
  package var hidesPublication = false
  package let faults: StreamFaults
  package let nodeCount: Int
  /// The maximum size of a message, in bytes.
  package let payloadLimit: Int
  package let sealRowCount: Int
  /// The time for which deletions are retained, in seconds.
  package let retention: Double

  /// Creates the plan of a seed, optionally with some of its steps only.
  package init(seed: UInt64, keep: [Int]? = nil) {
    self.seed = seed
    var random = Seeded(mixing: seed, 0x63)
    losesAccepted = random.oneIn(3)
    var faults = StreamFaults()
    faults.silence = [0, 3, 8][random.below(3)]
    faults.staleness = [0, 3, 8][random.below(3)]
    faults.shuffles = random.oneIn(2)
    self.faults = faults
    nodeCount = 2 + random.below(3)
    payloadLimit = [200, 700, 512 << 10][random.below(3)]
    sealRowCount = [3, 10, 100_000][random.below(3)]
    retention = [0, 50, 1e9][random.below(3)]
    losesDisks = random.oneIn(2)
    isContested = random.oneIn(4)
    var others = Seeded(mixing: seed, 0x72)
    removesLogs = others.oneIn(3)
    // A stream that has lost an epoch does not fence copies that do not descend from it.
    copiesStores = !losesAccepted && others.oneIn(2)
    let all = (0..<20 + random.below(80)).map { _ in random.next() }
    words = keep.map { $0.map { all[$0] } } ?? all
  }
}
