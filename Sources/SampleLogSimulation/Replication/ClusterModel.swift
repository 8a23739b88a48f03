import SampleLog

/// What a simulated cluster's machines have shown, and what they have promised.
struct ClusterModel {
  private struct Point: Hashable {
    var epoch: UInt32
    var last: UInt64
  }

  private struct Save {
    var id: Identifier
    /// Whether the stream has lost messages since, and the one who saved has not come back.
    var isAtRisk = false
  }

  /// The epochs that were seen: with which number each began, and behind which other.
  private(set) var epochs: [UInt32: (first: UInt64, parent: UInt32?, term: UInt32)] = [:]
  private var chains: [Point: HistoryChain] = [:]
  private var saves: [Save] = []
  /// The greatest floor of a primary.
  private var floor: UInt64 = 0
  private var hasLost = false

  /// Takes note of where a machine is.
  ///
  /// - Returns: What is wrong.
  mutating func observe(_ database: Database, isPrimary: Bool) throws -> String? {
    let (end, epoch) = (try database.historyEnd, database.epoch)
    if epochs[epoch] == nil {
      epochs[epoch] = (database.epochFirst, database.previousEpoch, database.term)
      // A replica that was promoted may not have had what the stream lost.
      saves.removeAll(where: \.isAtRisk)
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

  /// Whether everything up to a number of an epoch is in the history of another; nil when no
  /// machine was seen in an epoch between them.
  func contains(_ epoch: UInt32, _ sequence: UInt64, in other: UInt32) -> Bool? {
    var epoch = (current: other, wanted: epoch)
    var limit = UInt64.max
    while epoch.current != epoch.wanted {
      guard let known = epochs[epoch.current] else { return nil }
      guard let parent = known.parent else { return false }
      limit = min(limit, known.first - 1)
      epoch.current = parent
    }
    return sequence <= limit
  }

  /// Takes note of samples that were acknowledged as replicated.
  mutating func acknowledged(_ ids: [Identifier], by database: Database) {
    // Where the stream has lost what fenced a primary, that one does not know better.
    let isReplaced = epochs.contains { $0.key != database.epoch && $0.value.term >= database.term }
    if hasLost, isReplaced { return }
    saves += ids.map { Save(id: $0) }
  }

  /// Forgets samples that are being deleted, whether that succeeds or not.
  mutating func touch(_ ids: Set<Identifier>) { saves.removeAll { ids.contains($0.id) } }

  mutating func streamHasLost() {
    hasLost = true
    for index in saves.indices { saves[index].isAtRisk = true }
  }

  /// The acknowledged samples that a store does not have.
  func missing(in snapshot: Snapshot) throws -> [Identifier] {
    try saves.map(\.id).filter { try snapshot.row($0) == nil }
  }

  var saveCount: Int { saves.count }
}

/// What was tried, so that a proof that tried nothing is noticed.
package struct ClusterFigures: Sendable {
  package var steps = 0
  package var commits = 0
  package var replicated = 0
  package var promotions = 0
  package var deaths = 0
  /// How often a replica was found not to follow the stream.
  package var lost = 0
  /// How often a primary came back with commits of its own.
  package var unpublished = 0
  package var losses = 0
  package var pages = 0
  /// Anchors that were refused because what they had seen is lost.
  package var refusals = 0
  /// Acknowledged samples that were looked for at the end.
  package var kept = 0

  package init() {}

  package static func += (left: inout ClusterFigures, right: ClusterFigures) {
    left.steps += right.steps
    left.commits += right.commits
    left.replicated += right.replicated
    left.promotions += right.promotions
    left.deaths += right.deaths
    left.lost += right.lost
    left.unpublished += right.unpublished
    left.losses += right.losses
    left.pages += right.pages
    left.refusals += right.refusals
    left.kept += right.kept
  }
}
