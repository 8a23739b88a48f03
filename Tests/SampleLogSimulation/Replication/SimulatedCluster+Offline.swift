import SampleLog
import SampleLogReplication

/// Programs that open a primary's store without its stream, and the reaction of the primary.
extension SimulatedCluster {
  /// Opens a primary's store like a program without a stream, changes it, and closes it or dies.
  func workOffline(_ node: SimulatedNode) {
    if case .primary(let database, _) = node.role {
      attempt(node) { try database.close() }
      node.role = .down
    }
    guard case .down = node.role, breaches.isEmpty else { return }
    attempt(node) {
      let door = CrashingFileSystem(
        files, locks, seed: plan.seed ^ node.openings << 8 ^ UInt64(node.number))
      node.door = door
      door.hidesPublication = plan.hidesPublication
      let names = try door.list(node.path) ?? []
      guard names.contains(where: FileNames.isData), !names.contains(FileNames.replica),
        !names.contains(FileNames.unfinished)
      else { return }
      figures.offline += 1
      var options = options(node)
      options.keepsSealedLogs = false
      let database = try Database(path: node.path, options: options, fileSystem: door)
      node.role = .offline(database)
      try checkOpened(node, database)
      if random.oneIn(3) { door.die(afterSyncs: random.below(8)) }
      for _ in 0..<random.below(4) {
        switch random.below(5) {
        case 0: try database.compact()
        case 1: try database.seal()
        default:
          if try commit(database) != nil { figures.commits += 1 }
        }
        observe(node)
      }
      // Closing seals only large logs, and these are small.
      if random.oneIn(2) { try database.seal() }
      try database.close()
      node.role = .down
    }
    if node.door?.hasCrashed == true { node.role = .down }
  }

  /// Replaces the store of a primary that is not running by a restored or a repaired copy of it.
  func copyStore(of node: SimulatedNode) {
    guard plan.copiesStores, case .down = node.role, let names = files.list(node.path),
      names.contains(where: FileNames.isData), !names.contains(FileNames.replica),
      !names.contains(FileNames.unfinished)
    else { return }
    backupCount += 1
    let path = "copy\(backupCount)"
    attempt(node) {
      if random.oneIn(2) {
        try Database.restore(
          from: node.path, to: path, options: options(node), fileSystem: files)
        figures.restored += 1
      } else {
        let copy = try Database.repair(
          from: node.path, to: path, options: options(node), fileSystem: files)
        // Only a replica that reports can show that no earlier one follows a repaired copy. One of
        // an empty store may not have reported yet.
        guard copy.end > 0 else { return restart(node) }
        figures.repaired += 1
      }
      node.lacksLogs = true
      try Database.discardFiles(in: node.path, fileSystem: files)
      for name in files.list(path) ?? [] {
        try files.rename(path + "/" + name, to: node.path + "/" + name)
      }
      restart(node)
    }
  }

  /// Removes the sealed logs of a primary that is not running, as an operator who needs space
  /// would.
  func removeLogs(of node: SimulatedNode) {
    guard plan.removesLogs, case .down = node.role, let names = files.list(node.path),
      !names.contains(FileNames.replica)
    else { return }
    attempt(node) {
      for name in names where FileNames.sealedLogFirst(name) != nil {
        try files.remove(node.path + "/" + name)
        figures.removedLogs += 1
      }
    }
  }

  /// Checks that the logs of a primary have every record that the stream may lack.
  ///
  /// The primary could publish the records from its segments, but not if they are forgotten there.
  func checkLogs(_ node: SimulatedNode, _ database: Database) throws {
    if plan.removesLogs || node.lacksLogs { return }
    let confirmed = database.confirmedPosition?.last ?? database.epochFirst - 1
    let start = try LogTail(database, after: confirmed).position.last
    if start > confirmed {
      report("node \(node.number): no log has \(confirmed + 1)...\(start)")
    }
  }

  /// Performs a step of a publisher.
  func publish(_ publisher: Publisher, _ node: SimulatedNode) throws {
    let before = publisher.rebuiltCount
    let step = try publisher.step()
    figures.rebuilt += publisher.rebuiltCount - before
    guard step == .blocked else { return }
    figures.gaps += 1
    // Changes by other programs do not interrupt the continuity of the logs. But a new epoch may
    // begin after messages that the stream never had.
    if !plan.losesAccepted, !plan.removesLogs, !node.lacksLogs, publisher.crossing == nil,
      let gap = publisher.gap
    {
      report("node \(node.number): \(gap)")
    }
  }

  /// Checks that a replica can apply all messages that were reported as published.
  func checkPublished(_ last: UInt64, _ node: SimulatedNode, _ database: Database) {
    // A lossy stream may receive an old message late, after a gap. A copy created from a backup
    // with unpublished commits crosses a gap when it is promoted.
    guard !plan.losesAccepted, let gap = try? stream.gap(of: database.storeID),
      // Alternatively, a replica has reported a position after the gap.
      stream.furthest[database.epoch, default: 0] < gap.upperBound
    else { return }
    report(
      "node \(node.number) took \(last) for published, and the stream lacks messages after "
        + "\(gap.lowerBound) up to \(gap.upperBound)")
  }

  /// Returns whether a primary is blocked by a gap that no replica has reported to have passed.
  func isBehindGap(_ node: SimulatedNode) -> Bool {
    nodes.contains { other in
      guard case .primary(let database, let publisher) = other.role, !other.isFenced,
        let gap = publisher.gap
      else { return false }
      return !database.hasReplica(reporting: stream.newestReports.values.map(\.bytes), gap)
    }
  }
}

extension Database {
  /// Returns whether any report is from a replica that can follow the stream after a gap.
  fileprivate func hasReplica(reporting reports: [[UInt8]], _ gap: PublishingGap) -> Bool {
    reports.contains { bytes in
      guard let report = try? ReplicaReport(bytes) else { return false }
      return report.epoch == epoch && report.last >= gap.continued
    }
  }
}

extension SimulatedStream {
  /// Returns the sequence numbers before and after a gap between messages, or nil if the messages
  /// are continuous.
  func gap(of storeID: Identifier) throws -> ClosedRange<UInt64>? {
    var reader = HistoryReader(storeID: storeID)
    var end: UInt64?
    var gap: ClosedRange<UInt64>?
    try reader.take(everything()) { message in
      if let last = end, message.before.last > last { gap = last...message.before.last }
      end = max(end ?? 0, message.last)
    }
    return gap
  }
}
