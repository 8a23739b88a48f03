import SampleLog
import SampleLogReplication

/// Copies of one store on separate nodes, connected by a stream and scheduled on one thread by a
/// seed.
///
/// Nodes save, publish, apply, seal, compact, die at any sync, stall, resume, and are promoted,
/// possibly several at the same time. At the end all faults are removed, and all copies must be
/// equal.
package final class SimulatedCluster {
  package let plan: ClusterPlan
  /// The violations found.
  package internal(set) var breaches: [String] = []
  package internal(set) var figures = ClusterFigures()

  let stream: SimulatedStream
  let files = MemoryFileSystem()
  let locks = CrashingFileSystem.LockTable()
  let clock = Clock()
  var nodes: [SimulatedNode] = []
  var subscribers: [ClusterSubscriber]
  var model = ClusterModel()
  var feeds = ClusterFeeds()
  var random: Seeded
  var idCount: UInt64 = 0
  /// The identifiers of all samples that any node tried to save.
  var saved: [Identifier] = []
  /// The erasures that a primary has committed.
  var erasures: [SimulatedErasure] = []
  var backupCount = 0
  /// The epoch whose incomplete commit ends the stream, as found by a promotion.
  var unfinishedEpoch: UInt32?
  /// Whether faults have been removed.
  var isHealing = false

  /// The clock of all nodes.
  ///
  /// A separate class, so that closures do not retain the cluster.
  final class Clock: Sendable {
    private let now = Locked(1_000_000.0)

    var time: Double { now.withLock { $0 } }
    func pass(_ seconds: Double) { now.withLock { $0 += seconds } }
  }

  package init(_ plan: ClusterPlan) {
    self.plan = plan
    random = Seeded(mixing: plan.seed, 0x77)
    stream = SimulatedStream(seed: plan.seed)
    nodes = (0..<plan.nodeCount).map { SimulatedNode($0) }
    subscribers = [nil, 50].map { ClusterSubscriber(minimum: $0) }
  }

  /// Runs the plan and collects violations in ``breaches``.
  package func run() {
    attempt(nodes[0]) { try open(nodes[0]) }
    stream.faults = plan.faults
    for word in plan.words where breaches.isEmpty {
      random = Seeded(word)
      step()
    }
    random = Seeded(plan.seed &+ 1)
    if breaches.isEmpty { heal() }
    figures.unreported = model.unreported
    // Closes all stores, so that retaining the cluster does not retain them.
    for node in nodes { node.role = .down }
  }

  func report(_ breach: String) { breaches.append(breach) }

  // MARK: Steps

  private func step() {
    figures.steps += 1
    let node = nodes[random.below(nodes.count)]
    if node.isStalled, !random.oneIn(6) { return }
    node.isStalled = false
    if plan.isContested, random.oneIn(5) { return contest() }
    switch random.below(100) {
    case 0..<28: save(node)
    case 28..<30: workOffline(node)
    case 30..<45: advance(node)
    case 45..<62: for other in nodes where !other.isStalled { advance(other) }
    case 62..<69: read(subscribers[random.below(subscribers.count)], node)
    case 69..<75: maintain(node)
    case 75..<80: node.door?.die(afterSyncs: random.below(6))
    case 80..<82: die(node)
    case 82..<86:
      if random.oneIn(3) { workOffline(node) }
      if random.oneIn(4) { copyStore(of: node) }
      restart(node)
    case 86..<90: promote()
    case 90..<93: node.isStalled = true
    case 93..<94:
      clock.pass(Double(random.below(100)))
      for node in nodes where random.oneIn(2) { removeLogs(of: node) }
      for node in nodes where random.oneIn(2) { copyStore(of: node) }
    case 94..<96: heal(node)
    default: disturb()
    }
    for node in nodes { observe(node) }
  }

  private func disturb() {
    switch random.below(7) {
    case 0: stream.deliverLate()
    case 1: stream.wipeReports()
    case 2: loseDisk(of: nodes[random.below(nodes.count)])
    case 3:
      // Trims messages that may no longer be needed. If disks are lost, only the stream may have
      // them.
      if plan.losesAccepted || !plan.losesDisks, random.oneIn(2) {
        // The last message is kept, because it identifies the publisher.
        let count = stream.last - min(stream.last, stream.first)
        try? stream.trim(through: stream.first - 1 + UInt64(random.below(Int(count) + 1)))
      }
    default:
      guard plan.losesAccepted else { return }
      figures.losses += 1
      model.streamHasLost()
      if random.oneIn(4) { stream.recreate() } else { stream.truncate(1 + random.below(4)) }
      // All servers lose power, and the primary does not return.
      if random.oneIn(2) { replacePrimary() }
    }
  }

  /// Stalls a primary during a promotion, and then lets it save and publish again.
  private func contest() {
    for node in nodes {
      if case .primary = node.role { node.isStalled = true }
    }
    let stalled = nodes.filter(\.isStalled)
    promote()
    for _ in 0..<6 {
      for node in nodes where !node.isStalled && random.oneIn(2) { advance(node) }
    }
    for _ in 0..<3 where breaches.isEmpty {
      for node in nodes.shuffled(using: &random) {
        // A stalled node resumes, with a message that it was about to send.
        if stalled.contains(where: { $0 === node }) || random.oneIn(2) {
          node.isStalled = false
          save(node)
        }
        if random.oneIn(2) { advance(node) }
      }
    }
    for node in nodes { observe(node) }
  }

  func promote() {
    let replicas = nodes.filter { node in
      if case .replica = node.role { return !node.needsBackup && !node.isStalled }
      return false
    }
    // Sometimes several nodes attempt a promotion at the same time.
    let count = random.oneIn(3) ? 2 : 1
    for node in replicas.shuffled(using: &random).prefix(count) { beginPromotion(node) }
  }
}
