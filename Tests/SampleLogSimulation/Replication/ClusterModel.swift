import SampleLog
import SampleLogReplication

/// The observed state of a simulated cluster, and the acknowledgements it must honour.
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
    /// The nodes that were counted as holders and have the commit on disk.
    ///
    /// Empty if only the stream was required to have it.
    var holders: Set<Int>
    /// Whether the save was acknowledged because other nodes had it.
    var isCopied: Bool
    /// Whether the stream has lost messages since, and the writer has not returned.
    var isAtRisk = false
    /// The number of attempted promotions at the time of the acknowledgement.
    var proposalCount: Int
  }

  /// A promotion, with the reports it had received each time before sending its record.
  private struct Proposal {
    var node: Int
    /// The number of earlier attempts.
    var number: Int
    var reports: [ReplicaReport]
  }

  /// The observed epochs, with the first number, the parent and the term of each.
  private(set) var epochs: [UInt32: (first: UInt64, parent: UInt32?, term: UInt32)] = [:]
  private var chains: [Point: HistoryChain] = [:]
  private var saves: [Save] = []
  private var proposals: [UInt32: Proposal] = [:]
  /// The highest floor of a primary.
  private var floor: UInt64 = 0
  private var hasLost = false
  private var hasLostDisk = false
  /// The number of replicated samples lost by a promotion that no report of them had reached.
  private(set) var unreported = 0

  /// Records the state of a node.
  ///
  /// - Returns: A description of a violation, or nil.
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

  /// Records a node's epoch and its ancestors, which may not have been observed yet.
  ///
  /// - Returns: The new epochs, oldest first.
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

  /// Checks the commits that a new epoch has lost.
  ///
  /// A node that was counted as a holder of a commit must have it in its own epoch. Another node
  /// may lack the commit if the stream does and no report of a holder had reached it.
  private mutating func begin(_ epoch: UInt32) -> String? {
    var breach: String?
    let proposal = proposals[epoch]
    for save in saves where save.isCopied && contains(save.epoch, save.last, in: epoch) == false {
      unreported += 1
      guard let proposal else { continue }
      // The node may have received the save after its record was sent or abandoned.
      if save.holders.contains(proposal.node), save.proposalCount <= proposal.number {
        breach = "node \(proposal.node) had \(save.last), and its epoch \(epoch) has not"
      } else if let report = proposal.reports.first(where: { covers($0, save) }) {
        breach =
          "node \(proposal.node) was promoted without \(save.last), which \(report) had reported"
      }
    }
    saves = saves.filter { save in
      if contains(save.epoch, save.last, in: epoch) != false { return true }
      // Other saves are checked at the end.
      return !save.isCopied && !save.isAtRisk && !(hasLost && wasReplaced(save, in: epoch))
    }
    return breach
  }

  /// Returns whether an epoch lacks a save because of an earlier promotion that the stream has lost
  /// and no node had shown when the save was acknowledged.
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

  /// Returns the last number of an epoch that is in the history of another.
  ///
  /// Returns nil if there is none, or if an epoch between them was not observed.
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

  /// Returns whether an epoch up to a number is in the history of another, or nil if an epoch
  /// between them was not observed.
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

  /// Records acknowledged samples, with the nodes that hold them or, without holders, because the
  /// stream has them.
  mutating func acknowledged(
    _ ids: [Identifier], through last: UInt64, by database: Database, holders: Set<Int>
  ) {
    // If the stream lost the record that fenced a primary, that primary cannot know.
    let isReplaced = epochs.contains { $0.key != database.epoch && $0.value.term >= database.term }
    if hasLost, isReplaced { return }
    saves += ids.map {
      Save(
        id: $0, epoch: database.epoch, last: last, holders: holders, isCopied: !holders.isEmpty,
        proposalCount: proposals.count)
    }
  }

  /// Removes samples that are being deleted, whether the deletion succeeds or not.
  mutating func touch(_ ids: Set<Identifier>) { saves.removeAll { ids.contains($0.id) } }

  mutating func streamHasLost() {
    hasLost = true
    for index in saves.indices { saves[index].isAtRisk = true }
  }

  mutating func diskIsLost() { hasLostDisk = true }

  /// Records that a node has lost the contents of its disk.
  mutating func emptied(_ node: Int) {
    for index in saves.indices { saves[index].holders.remove(node) }
  }

  /// Records a promotion whose record was sent; it may be sent several times.
  mutating func proposed(_ epoch: UInt32, by node: Int, reports: [ReplicaReport]) {
    let proposal = Proposal(node: node, number: proposals.count, reports: [])
    proposals[epoch, default: proposal].reports += reports
  }

  /// Returns the last sequence number of a commit that a node was counted for but lacks, or nil.
  func uncopied(_ node: Int, _ database: Database) -> UInt64? {
    saves.first { save in
      save.holders.contains(node)
        && (database.end < save.last
          || contains(save.epoch, save.last, in: database.epoch) == false)
    }?.last
  }

  /// Returns the acknowledged samples that a store does not have.
  ///
  /// If all nodes of an epoch have lost their disks or were re-created, the cluster continues
  /// without that epoch.
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
