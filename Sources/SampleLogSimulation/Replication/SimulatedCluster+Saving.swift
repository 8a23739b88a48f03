import SampleLog
import SampleLogReplication

extension SimulatedCluster {
  private static let subjects = ["ada", "ben"]
  private static let types = ["heartRate", "steps", "energy"]

  /// Saves on a machine: a primary must take it, a replica must name its primary.
  func save(_ node: SimulatedNode) {
    switch node.role {
    case .down, .empty: return
    case .replica(let replica), .promoting(let replica, _): refuse(replica.database, node)
    case .primary(let database, let publisher):
      attempt(node) {
        if node.isFenced { return refuse(database, node) }
        guard let (ids, last) = try commit(database) else { return }
        figures.commits += 1
        observe(node)
        guard random.oneIn(2) else { return }
        for _ in 0..<12 where publisher.publishedThrough < last { _ = try publisher.step() }
        guard publisher.publishedThrough >= last else { return }
        figures.replicated += 1
        model.acknowledged(ids, by: database)
      }
    }
  }

  private func refuse(_ database: Database, _ node: SimulatedNode) {
    var batch = Batch()
    batch.add(to: key(database, 0, 0), start: 0, value: 0)
    do {
      try database.commit(batch)
      report("node \(node.number) took what is not its to take")
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

  private func commit(_ database: Database) throws -> ([Identifier], last: UInt64)? {
    if random.oneIn(25) {
      let subject = database.symbols.intern(Self.subjects[1])
      let rows = try database.snapshot().select(Self.types.indices.map { key(database, 1, $0) })
      model.touch(Set(rows.map(\.id)))
      // A save that is acknowledged later may have been erased meanwhile.
      model.touch(Set(ids(of: 1)))
      return try database.erase(subject).sequence.map { ([], $0) }
    }
    var batch = Batch()
    var ids: [Identifier] = []
    let subject = random.below(2)
    for _ in 0..<1 + random.below(random.oneIn(5) ? 40 : 4) {
      idCount += 1
      // The subject is in the identifier, for those who only have that.
      let id = Identifier(high: UInt64(subject + 1), low: mixed(idCount))
      ids.append(id)
      saved.append(id)
      batch.add(
        to: key(database, subject, random.below(3)), id: id, start: Double(random.below(1000)),
        value: Double(random.below(200)))
    }
    if random.oneIn(3), let id = saved.randomElement(using: &random),
      try database.snapshot().row(id) != nil
    {
      batch.delete(id)
      model.touch([id])
    }
    return try database.commit(batch).sequences.map { (ids, $0.upperBound) }
  }

  private func ids(of subject: Int) -> [Identifier] {
    saved.filter { $0.high == UInt64(subject + 1) }
  }
}
