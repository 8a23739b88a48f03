import SampleLog
import SampleLogReplication

extension SimulatedCluster {
  /// Removes all faults, waits until all copies are equal, and checks the acknowledged samples.
  func heal() {
    isHealing = true
    stream.faults = StreamFaults()
    // Nodes that no longer exist do not report again.
    stream.wipeReports()
    for _ in 0..<20 { stream.deliverLate() }
    var rounds = 0
    while breaches.isEmpty, !hasConverged {
      rounds += 1
      if rounds > 400 { return report("the copies do not become one: \(description)") }
      for node in nodes { healStep(node) }
      // If the stream lost the record that fenced a primary, two epochs of one term may coexist,
      // and the primary may continue in the wrong one. An operator then notices that replicas do
      // not advance.
      let isStuck = plan.losesAccepted && rounds > 200 && rounds % 40 == 0
      if rounds % 8 == 0 { replaceMissingPrimary(isStuck: isStuck) }
      // If the stream lost an epoch, some nodes detect it only at the next save.
      if rounds % 40 == 0 { for node in nodes { save(node) } }
      for node in nodes { observe(node) }
    }
    guard breaches.isEmpty, let primary = convergedPrimary else { return }
    for node in nodes { attempt(node) { try compare(node, primary) } }
    for subscriber in subscribers {
      var pages = 0
      while pages < 10_000, breaches.isEmpty {
        pages += 1
        if !read(subscriber, nodes[random.below(nodes.count)], limit: 50),
          subscriber.anchor.sequence == primary.end || primary.end == 0,
          subscriber.anchor.origin.map({ $0.epoch == primary.epoch }) ?? (primary.end == 0)
        {
          break
        }
      }
    }
    attempt(nodes[0]) { try judge(primary) }
    if breaches.isEmpty { checkErased(primary) }
  }

  private func healStep(_ node: SimulatedNode) {
    node.isStalled = false
    if node.door?.hasCrashed == true {
      node.role = .down
      node.door = nil
    }
    restart(node)
    // Scheduled deaths are cancelled.
    node.door?.die(afterSyncs: .max)
    heal(node)
    advance(node)
  }

  /// Promotes the replica that is furthest ahead if there is no primary, or none of its epoch.
  ///
  /// A primary whose replacement was lost from the stream may not notice it, and continues after
  /// its own last message.
  private func replaceMissingPrimary(isStuck: Bool) {
    if let epoch = unfinishedEpoch {
      unfinishedEpoch = nil
      // The primary of that epoch has lost its disk, and the stream has lost the preceding
      // messages.
      if !nodes.contains(where: { $0.database?.epoch == epoch }) { stream.recreate() }
    }
    let term =
      nodes.filter { !$0.needsBackup || !plan.copiesStores }
      .compactMap(\.database?.term).max() ?? 0
    let isServed = nodes.contains { node in
      switch node.role {
      case .primary(let database, _): !node.isFenced && database.term >= term
      case .promoting: true
      default: false
      }
    }
    if isServed, !isStuck { return }
    let replicas = nodes.filter(\.isReplica)
    let best = furthest(of: replicas.filter { !$0.needsBackup })
    if plan.losesAccepted || plan.copiesStores,
      let node = furthest(of: replicas.filter(\.needsBackup)),
      best.map({ !plan.copiesStores && $0.database?.term ?? 0 < node.database?.term ?? 0 }) ?? true
    {
      // The stream cannot continue the newest copies, so one of them is chosen.
      chooseAnyway(node)
    } else if let best {
      beginPromotion(best)
    } else if isStuck, nodes.allSatisfy({ $0.isFenced || $0.database == nil }) {
      // The record of an epoch that no node has fences all nodes.
      stream.recreate()
    }
  }

  /// Returns the node with the highest term; of several, the one with the newest commit.
  func furthest(of nodes: [SimulatedNode]) -> SimulatedNode? {
    nodes.max {
      ($0.database?.term ?? 0, $0.database?.end ?? 0) < (
        $1.database?.term ?? 0, $1.database?.end ?? 0
      )
    }
  }

  /// Makes a replica the primary regardless of the stream, as an operator may in an emergency.
  ///
  /// The operator starts older primaries only after the promotion.
  private func chooseAnyway(_ node: SimulatedNode) {
    guard case .replica(let replica) = node.role else { return }
    attempt(node) {
      try replica.close()
      stream.recreate()
      try open(node)
    }
    beginPromotion(node)
    for _ in 0..<100 where breaches.isEmpty && node.isReplica { advance(node) }
  }

  private var convergedPrimary: Database? {
    let primaries = nodes.compactMap { node -> Database? in
      guard case .primary(let database, let publisher) = node.role, !node.isFenced,
        publisher.publishedThrough == database.end || database.end == 0
      else { return nil }
      return database
    }
    return primaries.count == 1 ? primaries[0] : nil
  }

  /// Whether there is one primary, all other nodes have its complete history, and none of them is
  /// being promoted.
  private var hasConverged: Bool {
    guard let primary = convergedPrimary else { return false }
    return nodes.allSatisfy { node in
      if case .promoting = node.role { return false }
      guard let database = node.database, !node.needsBackup else { return false }
      return database === primary || (database.epoch, database.end) == (primary.epoch, primary.end)
    }
  }

  private func compare(_ node: SimulatedNode, _ primary: Database) throws {
    guard let database = node.database else { return }
    guard try database.historyEnd == primary.historyEnd else {
      return report("node \(node.number) has another history than the primary")
    }
    try database.checkInvariants()
    if try Self.rows(database) != Self.rows(primary) {
      report("node \(node.number) has other samples than the primary")
    }
  }

  private static func rows(_ database: Database) throws -> [UInt64: Identifier] {
    let snapshot = database.snapshot()
    let rows = try snapshot.select(snapshot.series)
    return Dictionary(rows.map { ($0.sequence, $0.id) }) { first, _ in first }
  }

  private static func rows(_ database: Database, _ filter: FeedFilter) throws -> Set<Identifier> {
    let snapshot = database.snapshot()
    let rows = try snapshot.select(snapshot.series)
    return Set(rows.filter { $0.value >= filter.minimum ?? 0 }.map(\.id))
  }

  private func judge(_ primary: Database) throws {
    let missing = try model.missing(in: primary)
    figures.kept += model.saveCount
    if !missing.isEmpty { report("\(missing.count) samples are lost that were acknowledged") }
    for subscriber in subscribers {
      let live = try Self.rows(primary, subscriber.filter)
      if Set(subscriber.rows.keys) != live {
        report("a subscriber has \(subscriber.rows.count) samples, the store \(live.count)")
      }
    }
    for breach in feeds.breaches(subscribers, model) { report(breach) }
  }

  private var description: String {
    stream.description
      + nodes.map { node in
        "\(node.number) \(node.role) \(node.isFenced) \(node.needsBackup) "
          + "\(node.database?.end ?? 0) \(node.database?.term ?? 0) \(node.database?.epoch ?? 0)"
      }.joined(separator: "; ")
  }
}
