import SampleLog
import SampleLogReplication

/// A node of a simulated cluster.
final class SimulatedNode {
  enum Role {
    /// The process is not running.
    case down
    /// The node has no store.
    case empty
    case primary(Database, Publisher)
    /// A writer that does not publish has a primary's store open.
    case offline(Database)
    case replica(Replica)
    case promoting(Replica, Promotion)
  }

  let number: Int
  var role = Role.empty
  var door: CrashingFileSystem?
  var isStalled = false
  /// Whether the node has detected that another one was promoted.
  var isFenced = false
  var needsBackup = false
  /// Whether the store is a restored or repaired copy, which has no sealed logs.
  var lacksLogs = false
  var openings: UInt64 = 0

  init(_ number: Int) { self.number = number }

  var path: String { "node\(number)" }

  var isReplica: Bool {
    switch role {
    case .replica, .promoting: true
    default: false
    }
  }

  var database: Database? {
    switch role {
    case .down, .empty: nil
    case .primary(let database, _), .offline(let database): database
    case .replica(let replica), .promoting(let replica, _): replica.database
    }
  }
}

extension SimulatedCluster {
  /// Runs an action on a node, which may die in the process.
  ///
  /// - Returns: The result, or nil if the action failed.
  @discardableResult
  func attempt<Result>(_ node: SimulatedNode, _ body: () throws -> Result) -> Result? {
    do {
      let result = try body()
      guard node.door?.hasCrashed == true, node.database != nil else { return result }
      // The process has died in an action whose errors are retried, such as removing erased data.
      node.role = .down
      figures.deaths += 1
      return nil
    } catch {
      if node.door?.hasCrashed == true {
        node.role = .down
        figures.deaths += 1
        return nil
      }
      switch error {
      case StoreError.fenced:
        node.isFenced = true
      case StoreError.diverged:
        // A primary can be fenced here only if the stream lost accepted messages.
        if plan.losesAccepted {
          node.isFenced = true
        } else {
          report("node \(node.number): \(error)")
        }
      case ReplicationError.needsBackup:
        node.needsBackup = true
        figures.lost += 1
      case ReplicationError.behind:
        // The operator chooses another replica.
        if case .promoting(let replica, _) = node.role { node.role = .replica(replica) }
        figures.behind += 1
      case ReplicationError.unfinished(let epoch):
        if case .promoting(let replica, _) = node.role { node.role = .replica(replica) }
        unfinishedEpoch = epoch
      default: report("node \(node.number): \(error)")
      }
      return nil
    }
  }

  func options(_ node: SimulatedNode) -> Database.Options {
    node.openings += 1
    var options = Database.Options()
    options.sealsInBackground = false
    options.sealRowCount = plan.sealRowCount
    options.zeroByteCount = 256
    options.deletionRetention = .seconds(plan.retention)
    options.keepsSealedLogs = true
    options.clock = { [clock] in clock.time }
    let salts = Locked(Seeded(mixing: plan.seed, UInt64(node.number), node.openings))
    options.random = { salts.withLock { $0.next() } }
    return options
  }

  /// Starts a node's process and opens its store.
  func open(_ node: SimulatedNode) throws {
    node.role = .down
    node.isFenced = false
    node.needsBackup = false
    let door = CrashingFileSystem(
      files, locks, seed: plan.seed ^ node.openings << 8 ^ UInt64(node.number))
    node.door = door
    let names = try door.list(node.path) ?? []
    let isFirst = node.number == 0 && node.openings == 0
    if names.isEmpty && !isFirst || names.contains(FileNames.unfinished) {
      node.role = .empty
      return
    }
    if names.contains(FileNames.replica) {
      let replica = try Replica(
        path: node.path, transport: stream, options: options(node), fileSystem: door,
        batchLimit: 1 + random.below(6), keptLogCount: random.below(4), name: node.path)
      node.role = .replica(replica)
      try checkOpened(node, replica.database)
    } else {
      let database = try Database(path: node.path, options: options(node), fileSystem: door)
      node.role = .primary(
        database,
        Publisher(
          database, stream, payloadLimit: plan.payloadLimit, keptLogCount: random.below(4),
          confirmationCount: 2))
      try checkOpened(node, database)
      try checkLogs(node, database)
    }
  }

  func die(_ node: SimulatedNode) {
    guard node.database != nil else { return }
    figures.deaths += 1
    node.door?.kill()
    node.role = .down
  }

  func restart(_ node: SimulatedNode) {
    guard case .down = node.role else { return }
    attempt(node) { try open(node) }
  }

  /// Performs a few background steps of a node.
  func advance(_ node: SimulatedNode) {
    for _ in 0..<1 + random.below(4) where breaches.isEmpty {
      switch node.role {
      case .down, .offline: return
      case .empty: attempt(node) { try fill(node) }
      case .primary(_, let publisher):
        if node.isFenced { return }
        if isHealing || random.oneIn(4) { publisher.check() }
        attempt(node) { try publish(publisher, node) }
      case .replica(let replica):
        if node.needsBackup { return }
        attempt(node) { _ = try replica.step() }
      case .promoting(let replica, let promotion):
        if node.needsBackup || !isHealing && random.oneIn(12) {
          // Abandons the promotion; its record may nevertheless take effect.
          node.role = .replica(replica)
          continue
        }
        if step(promotion, replica, node) == .promoted {
          attempt(node) { try finishPromotion(node, replica) }
        }
      }
    }
  }

  func beginPromotion(_ node: SimulatedNode) {
    guard case .replica(let replica) = node.role else { return }
    // While healing, any remaining replica is promoted, even if commits are lost.
    node.role = .promoting(replica, Promotion(replica, ignoresReports: isHealing))
  }

  private func finishPromotion(_ node: SimulatedNode, _ replica: Replica) throws {
    figures.promotions += 1
    observe(node)
    try replica.close()
    node.role = .down
    guard let door = node.door else { return }
    try Database.promote(node.path, fileSystem: door)
    try open(node)
  }

  /// Creates a replica on an empty node, either empty or from a backup of another open node.
  func fill(_ node: SimulatedNode, since term: UInt32 = 0) throws {
    let door = node.door ?? CrashingFileSystem(files, locks, seed: plan.seed)
    node.door = door
    let sources = sources(for: node, since: term)
    guard let source = best(of: sources), let database = source.database else { return }
    node.needsBackup = false
    emptied(node)
    node.lacksLogs = source.lacksLogs
    try Database.discardFiles(in: node.path, fileSystem: door)
    let first = try stream.firstMessage.flatMap { try Message($0) }
    if stream.first == 1, first?.writer.epoch == 1, random.oneIn(2) {
      try Database.makeReplica(
        ofStore: database.storeID, epoch: 1, at: node.path, of: "node0", options: options(node),
        fileSystem: door)
    } else {
      backupCount += 1
      let backup = "backup\(backupCount)"
      guard attempt(source, { try database.backup(to: backup) }) != nil else { return }
      try Database.makeReplica(
        from: backup, at: node.path, of: source.path, options: options(node), fileSystem: door)
    }
    try open(node)
  }

  /// Returns the nodes of a term or a later one that another node can be filled from.
  private func sources(for node: SimulatedNode, since term: UInt32) -> [SimulatedNode] {
    nodes.filter { other in
      guard other !== node, !other.needsBackup, !other.isFenced else { return false }
      return other.database.map { $0.term >= term } ?? false
    }
  }

  /// Returns the node to copy.
  ///
  /// While healing, returns the node that ``furthest(of:)`` selects, because another replica may be
  /// as stuck as the one to fill.
  private func best(of sources: [SimulatedNode]) -> SimulatedNode? {
    isHealing
      ? furthest(of: sources)
      : sources.isEmpty ? nil : sources[random.below(sources.count)]
  }

  /// Repairs a node that cannot continue in its current state.
  func heal(_ node: SimulatedNode) {
    // A replica may have the newest history, although the stream cannot continue it. Restored
    // copies, however, have newer terms than histories that replaced theirs.
    let term = node.isReplica && !plan.copiesStores ? node.database?.term ?? 0 : 0
    // A node is emptied only if there is a source to fill it from.
    if sources(for: node, since: term).isEmpty {
      if node.isFenced {
        // The record that fenced it may be lost.
        die(node)
        restart(node)
      }
      return
    }
    if case .primary(let database, _) = node.role, node.isFenced {
      attempt(node) {
        try database.close()
        guard let door = node.door else { return }
        backupCount += 1
        emptied(node)
        // If the stream lost the record that fenced it, the node is the primary again.
        let result = try Replica.rejoin(
          node.path, as: "another", transport: stream, keeping: "kept\(backupCount)",
          options: options(node), fileSystem: door)
        if result?.unpublished != nil { figures.unpublished += 1 }
        try open(node)
      }
    } else if case .replica(let replica) = node.role, node.needsBackup || isBehindGap(node) {
      attempt(node) {
        try replica.close()
        try refill(node, since: term)
      }
    } else if isHealing, case .primary(let database, _) = node.role, isBehindGap(node),
      !nodes.contains(where: \.isReplica),
      !sources(for: node, since: database.term + 1).isEmpty
    {
      // Without a replica, no primary can publish or is fenced, and an operator keeps the newest.
      attempt(node) {
        try database.close()
        try refill(node, since: database.term + 1)
      }
    }
  }

  /// Replaces the files of a closed node by those of another.
  private func refill(_ node: SimulatedNode, since term: UInt32) throws {
    guard let door = node.door else { return }
    emptied(node)
    try Database.discardFiles(in: node.path, fileSystem: door)
    node.role = .empty
    try fill(node, since: term)
  }

  func maintain(_ node: SimulatedNode) {
    guard let database = node.database else { return }
    attempt(node) {
      if random.oneIn(2) { try database.compact() } else { try database.seal() }
    }
  }
}
