import SampleLog
import SampleLogReplication

extension SimulatedCluster {
  static let subjects = ["ada", "ben"]
  static let types = ["heartRate", "steps", "energy"]

  /// Saves on a node: a primary must accept it, and a replica must name its primary.
  func save(_ node: SimulatedNode) {
    switch node.role {
    case .down, .empty, .offline: return
    case .replica(let replica), .promoting(let replica, _): refuse(replica.database, node)
    case .primary(let database, let publisher):
      attempt(node) {
        if node.isFenced { return refuse(database, node) }
        guard let (ids, last) = try commit(database) else { return }
        figures.commits += 1
        observe(node)
        guard random.oneIn(2) else { return }
        for _ in 0..<12 where publisher.publishedThrough < last { try publish(publisher, node) }
        guard publisher.publishedThrough >= last else { return }
        figures.replicated += 1
        checkPublished(last, node, database)
        let copies = random.below(3)
        let holders = copies == 0 ? [] : try waitForCopies(copies, of: last, on: node, database)
        if copies > 0, holders.isEmpty { return }
        model.acknowledged(ids, through: last, by: database, holders: holders)
        // The stream loses accepted messages, and the primary does not return.
        guard copies > 0, plan.losesAccepted, random.oneIn(6) else { return }
        figures.losses += 1
        model.streamHasLost()
        stream.truncate(1 + random.below(2))
        replacePrimary()
      }
    }
  }

  /// Advances other nodes until enough of them have reported a commit.
  ///
  /// - Returns: The nodes that have the commit on disk, including the primary; empty if there were
  ///   too few.
  private func waitForCopies(
    _ count: Int, of last: UInt64, on node: SimulatedNode, _ database: Database
  ) throws -> Set<Int> {
    for _ in 0..<5 {
      // Advances only some nodes, so that others lag.
      for other in nodes where other !== node && !other.isStalled && random.oneIn(2) {
        advance(other)
      }
      let names: [String]
      do {
        names = try database.holders(of: last, in: stream.reports(of: database.storeID))
      } catch StoreError.diverged(let sequence) {
        report("node \(node.number) has lost \(sequence), which a replica has")
        return []
      }
      guard names.count >= count else { continue }
      figures.copied += 1
      // A node may have lost its disk since; its report was true when it was made.
      let holders = nodes.filter { other in
        names.contains(other.path)
          && stream.lastAnswer?[other.path]?.disk == stream.disks[other.path, default: 0]
      }
      for holder in holders where holder.database != nil && holder.door?.hasCrashed == false {
        let (epoch, end) = (holder.database?.epoch ?? 0, holder.database?.durableEnd ?? 0)
        if end < last || model.contains(database.epoch, last, in: epoch) == false {
          report("node \(holder.number) was counted for \(last) of epoch \(database.epoch)")
        }
      }
      return Set(holders.map(\.number)).union([node.number])
    }
    return []
  }

  private func refuse(_ database: Database, _ node: SimulatedNode) {
    var batch = Batch()
    batch.add(to: key(database, 0, 0), start: 0, value: 0)
    do {
      try database.commit(batch)
      report("node \(node.number) accepted a commit that it must reject")
    } catch StoreError.replica, StoreError.fenced {
    } catch {
      report("node \(node.number) refused with \(error)")
    }
  }

  private func key(_ database: Database, _ subject: Int, _ type: Int) -> SeriesKey {
    SeriesKey(
      subject: database.symbols.intern(Self.subjects[subject]),
      type: database.symbols.intern(Self.types[type]))
  }

  /// Performs a commit, or erases a subject.
  ///
  /// - Returns: The added samples and the last sequence number, or nil if there was no change.
  func commit(_ database: Database) throws -> ([Identifier], last: UInt64)? {
    let first = database.end + 1
    if random.oneIn(25) {
      let subject = database.symbols.intern(Self.subjects[1])
      let rows = try database.snapshot().select(Self.types.indices.map { key(database, 1, $0) })
      model.touch(Set(rows.map(\.id)))
      // A save that is acknowledged later may have been erased in the meantime.
      model.touch(Set(ids(of: 1)))
      let erasure = HistoryCommit(first: first, last: first, erased: ClusterPage.series(of: 1))
      feeds.begin(erasure, in: database.epoch)
      let result = try database.erase(subject).sequence
      if result != first { feeds.withdraw(erasure, in: database.epoch) }
      if let result {
        erasures.append(
          SimulatedErasure(epoch: database.epoch, sequence: result, ids: rows.map(\.id)))
      }
      return result.map { ([], $0) }
    }
    var batch = Batch()
    var ids: [Identifier] = []
    var commit = HistoryCommit(first: first, last: first)
    let subject = random.below(2)
    for _ in 0..<1 + random.below(random.oneIn(5) ? 40 : 4) {
      idCount += 1
      // The identifier encodes the subject, for checks that have only the identifier.
      let id = Identifier(high: UInt64(subject + 1), low: mixed(idCount))
      ids.append(id)
      saved.append(id)
      let (type, value) = (random.below(3), Double(random.below(200)))
      batch.add(
        to: key(database, subject, type), id: id, start: Double(random.below(1000)), value: value)
      commit.added.append(
        HistorySample(
          sequence: 0, series: ClusterPage.series(subject, type), id: id, value: value))
    }
    if random.oneIn(3), let id = saved.randomElement(using: &random),
      let row = try database.snapshot().row(id)
    {
      batch.delete(id)
      model.touch([id])
      commit.targets = [row.sequence]
    }
    commit.number()
    feeds.begin(commit, in: database.epoch)
    let sequences = try database.commit(batch).sequences
    if sequences != commit.first...commit.last {
      report("a commit took \(sequences.map { "\($0)" } ?? "no numbers"), not \(commit)")
    }
    return sequences.map { (ids, $0.upperBound) }
  }

  private func ids(of subject: Int) -> [Identifier] {
    saved.filter { $0.high == UInt64(subject + 1) }
  }
}
