import SampleLog
import SampleLogReplication

/// What a simulated cluster's machines have shown, and what they have promised.
struct ClusterModel {
  private struct Point: Hashable {
    var epoch: UInt32
    var last: UInt64
  }

  struct Save {
    var id: Identifier
    var epoch: UInt32
    /// The last sequence number of its commit.
    var last: UInt64
    /// The machines that were counted and have it on their disks; none where only the stream had to
    /// have it.
    var holders: Set<Int>
    /// Whether it was acknowledged when machines had it.
    var isCopied: Bool
    /// Whether the stream has lost messages since, and the one who saved has not come back.
    var isAtRisk = false
    /// How many promotions had been tried when it was acknowledged.
    var proposalCount: Int
  }

  /// A promotion, and the reports that it had each time before its record was sent.
  private struct Proposal {
    var node: Int
    /// How many were tried before.
    var number: Int
    var reports: [ReplicaReport]
  }

  /// The epochs that were seen: with which number each began, and behind which other.
  private(set) var epochs: [UInt32: (first: UInt64, parent: UInt32?, term: UInt32)] = [:]
  private var chains: [Point: HistoryChain] = [:]
  private var saves: [Save] = []
  private var proposals: [UInt32: Proposal] = [:]
  /// The greatest floor of a primary.
  private var floor: UInt64 = 0
  private var hasLost = false
  private var hasLostDisk = false
  /// Copied samples that a promotion lost because no report of them had reached it.
  private(set) var unreported = 0

  /// Takes note of where a machine is.
  ///
  /// - Returns: What is wrong.
  mutating func observe(_ database: Database, isPrimary: Bool) throws -> String? {
    let (end, epoch) = (try database.historyEnd, database.epoch)
    for new in note(database) {
      if let breach = begin(new) { return breach }
    }
    let point = Point(epoch: epoch, last: end.last)
    if let known = chains[point], known != end.chain {
      return "\(end.last) means two things in epoch \(epoch)"
    }
    chains[point] = end.chain
    let floor = database.snapshot().floor
    if isPrimary { self.floor = max(self.floor, floor) }
    return floor > self.floor ? "a replica has forgotten up to \(floor)" : nil
  }

  /// Takes note of a machine's epoch, and of those before it, in which none may have been seen.
  ///
  /// - Returns: Those that are new, the oldest first.
  private mutating func note(_ database: Database) -> [UInt32] {
    if epochs[database.epoch] != nil { return [] }
    var new: [UInt32] = []
    var parent: (epoch: UInt32, last: UInt64)?
    for (term, earlier) in database.earlierEpochs.enumerated() {
      if epochs[earlier.epoch] == nil {
        epochs[earlier.epoch] = (parent.map { $0.last + 1 } ?? 1, parent?.epoch, UInt32(term))
        new.append(earlier.epoch)
      }
      parent = earlier
    }
    epochs[database.epoch] = (database.epochFirst, parent?.epoch, database.term)
    return new + [database.epoch]
  }

  /// Judges what a new epoch has lost.
  ///
  /// A machine that was counted for a commit has it in its epoch. Another may lack it if the stream
  /// does, and then was not told that a machine has it.
  private mutating func begin(_ epoch: UInt32) -> String? {
    var breach: String?
    let proposal = proposals[epoch]
    for save in saves where save.isCopied && contains(save.epoch, save.last, in: epoch) == false {
      unreported += 1
      guard let proposal else { continue }
      // It may have come by the save when its record was on its way, or given up.
      if save.holders.contains(proposal.node), save.proposalCount <= proposal.number {
        breach = "node \(proposal.node) had \(save.last), and its epoch \(epoch) has not"
      } else if let report = proposal.reports.first(where: { covers($0, save) }) {
        breach =
          "node \(proposal.node) was promoted without \(save.last), which \(report) had reported"
      }
    }
    saves = saves.filter { save in
      if contains(save.epoch, save.last, in: epoch) != false { return true }
      // The others are looked for at the end, and are missing there.
      return !save.isCopied && !save.isAtRisk && !(hasLost && wasReplaced(save, in: epoch))
    }
    return breach
  }

  /// Whether an epoch lacks a save because of a promotion that came before it, which the stream has
  /// lost and no machine had shown when the save was acknowledged.
  private func wasReplaced(_ save: Save, in epoch: UInt32) -> Bool {
    if contains(save.epoch, save.last, in: epoch) != false { return false }
    var next: UInt32? = epoch
    while let current = next, current != save.epoch {
      if let proposal = proposals[current], proposal.number < save.proposalCount { return true }
      next = epochs[current]?.parent
    }
    return false
  }

  private func covers(_ report: ReplicaReport, _ save: Save) -> Bool {
    report.last >= save.last && contains(save.epoch, save.last, in: report.epoch) == true
  }

  /// The last number of an epoch that is in the history of another; nil when there is none, or no
  /// machine was seen in an epoch between them.
  func limit(of epoch: UInt32, in other: UInt32) -> UInt64? {
    var current = other
    var limit = UInt64.max
    while current != epoch {
      guard let known = epochs[current], let parent = known.parent else { return nil }
      limit = min(limit, known.first - 1)
      current = parent
    }
    return limit
  }

  /// Whether everything up to a number of an epoch is in the history of another; nil when no
  /// machine was seen in an epoch between them.
  func contains(_ epoch: UInt32, _ sequence: UInt64, in other: UInt32) -> Bool? {
    if let limit = limit(of: epoch, in: other) { return sequence <= limit }
    var current = other
    while let known = epochs[current] {
      guard let parent = known.parent else { return false }
      current = parent
    }
    return nil
  }

  // MARK: Saves

  /// Takes note of samples that were acknowledged, because machines had them or, without holders,
  /// because the stream had.
  mutating func acknowledged(
    _ ids: [Identifier], through last: UInt64, by database: Database, holders: Set<Int>
  ) {
    // Where the stream has lost what fenced a primary, that one does not know better.
    let isReplaced = epochs.contains { $0.key != database.epoch && $0.value.term >= database.term }
    if hasLost, isReplaced { return }
    saves += ids.map {
      Save(
        id: $0, epoch: database.epoch, last: last, holders: holders, isCopied: !holders.isEmpty,
        proposalCount: proposals.count)
    }
  }

  /// Forgets samples that are being deleted, whether that succeeds or not.
  mutating func touch(_ ids: Set<Identifier>) { saves.removeAll { ids.contains($0.id) } }

  mutating func streamHasLost() {
    hasLost = true
    for index in saves.indices { saves[index].isAtRisk = true }
  }

  mutating func diskIsLost() { hasLostDisk = true }

  /// Takes note that a machine has not what was on its disk.
  mutating func emptied(_ node: Int) {
    for index in saves.indices { saves[index].holders.remove(node) }
  }

  /// Takes note of a promotion whose record is sent, which may be tried several times.
  mutating func proposed(_ epoch: UInt32, by node: Int, reports: [ReplicaReport]) {
    let proposal = Proposal(node: node, number: proposals.count, reports: [])
    proposals[epoch, default: proposal].reports += reports
  }

  /// A number that a machine was counted for and does not have.
  func uncopied(_ node: Int, _ database: Database) -> UInt64? {
    saves.first { save in
      save.holders.contains(node)
        && (database.end < save.last
          || contains(save.epoch, save.last, in: database.epoch) == false)
    }?.last
  }

  /// The acknowledged samples that a store does not have.
  ///
  /// Where all machines that had an epoch have lost their disks or were filled again, the cluster
  /// goes on without it.
  func missing(in database: Database) throws -> [Identifier] {
    let snapshot = database.snapshot()
    let epoch = database.epoch
    return try saves.filter { save in
      let isGone = save.isCopied ? save.holders.isEmpty : save.isAtRisk && hasLostDisk
      if isGone, contains(save.epoch, save.last, in: epoch) == false { return false }
      return try snapshot.row(save.id) == nil
    }
    .map(\.id)
  }

  var saveCount: Int { saves.count }
}
