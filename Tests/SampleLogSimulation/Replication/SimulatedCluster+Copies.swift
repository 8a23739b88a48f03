import SampleLog
import SampleLogReplication

/// Destroys the disks of nodes, and checks that nodes have the commits that they were counted for.
extension SimulatedCluster {
  /// Deletes all files of a node, if another node has a replica that can follow the stream from its
  /// first message.
  func loseDisk(of node: SimulatedNode) {
    guard plan.losesDisks else { return }
    let hasOther = attempt(node) { try nodes.contains { try $0 !== node && leadsOn($0) } }
    guard hasOther == true, let names = files.list(node.path), !names.isEmpty else { return }
    die(node)
    node.role = .down
    attempt(node) { for name in names { try files.remove(node.path + "/" + name) } }
    figures.disks += 1
    model.diskIsLost()
    emptied(node)
  }

  /// Returns whether a node has a replica that can follow the stream from its first message to its
  /// last.
  ///
  /// A copy of a replaced primary cannot if it has commits after those at which a new epoch begins.
  private func leadsOn(_ node: SimulatedNode) throws -> Bool {
    guard case .replica(let replica) = node.role, !node.needsBackup else { return false }
    let (epoch, term, end) = (replica.database.epoch, replica.database.term, replica.database.end)
    let messages = try stream.messages.compactMap { try Message($0) }
    return messages.first.map { $0.before.last <= end } ?? true
      && messages.map(\.writer).allSatisfy {
        $0.epoch == epoch || $0.term <= term || $0.epochFirst > end
      }
  }

  /// Makes the primary lose its disk, or at least stall, and promotes another node.
  func replacePrimary() {
    for node in nodes {
      guard case .primary = node.role, !node.isFenced else { continue }
      node.isStalled = true
      loseDisk(of: node)
    }
    promote()
    for _ in 0..<6 {
      for node in nodes {
        if case .promoting = node.role { advance(node) }
      }
    }
  }

  /// Records that a node has lost the contents of its disk.
  func emptied(_ node: SimulatedNode) {
    stream.disks[node.path, default: 0] += 1
    model.emptied(node.number)
  }

  /// Checks a store that was opened: its invariants, and that it has the commits that its node was
  /// counted for.
  func checkOpened(_ node: SimulatedNode, _ database: Database) throws {
    try database.checkInvariants()
    if let last = model.uncopied(node.number, database) {
      report("node \(node.number) was counted for \(last), and ends at \(database.end)")
    }
  }

  /// Continues a promotion, and records the reports of other replicas known when its record was
  /// sent.
  func step(
    _ promotion: Promotion, _ replica: Replica, _ node: SimulatedNode
  ) -> Promotion.Step? {
    let sentBefore = stream.appendCount
    stream.lastAnswer = nil
    let step = attempt(node) { try promotion.step() }
    // Reports received without sending a record may be too late for one already in flight.
    guard stream.appendCount > sentBefore else { return step }
    if let epoch = promotion.proposedEpoch ?? (step == .promoted ? replica.database.epoch : nil) {
      let reports = stream.lastAnswer ?? stream.newestReports
      // All reports come from replicas and are valid.
      let known = reports.values.compactMap { try? ReplicaReport($0.bytes) }
      model.proposed(epoch, by: node.number, reports: isHealing ? [] : known)
    }
    return step
  }
}
