/// Priority resolution between sources: at each moment, the source with the highest-priority active
/// sample counts.
///
/// The time lost to other sources is kept per source rather than per sample, so a change of the
/// leading source costs the same for any number of active samples. A change examines one bit per
/// rank.
struct PriorityResolution: Sendable {
  private struct Rank: Sendable {
    let source: Int
    /// The number of active samples of the rank.
    var active = 0
  }

  private struct Side: Sendable {
    /// The number of active samples of the source.
    var active = 0
    /// The time for which others counted while this source was active, up to `losingSince`.
    var lost = 0.0
    /// The time since which another source has counted, or infinity if none does.
    var losingSince = Double.infinity
  }

  private var ranks: [Rank]
  private var sides: [Side]
  /// A bit set of the ranks that have active samples.
  private var activeRanks: [UInt64]
  /// The leading rank and its source, or `Int.max` and -1 if no sample is active.
  private var leadingRank = Int.max
  private var leader = -1

  /// Creates a resolution without active samples.
  ///
  /// Sources are numbered from 0.
  init(sourceOfRank: [Int]) {
    ranks = sourceOfRank.map { Rank(source: $0) }
    sides = Array(repeating: Side(), count: (sourceOfRank.max() ?? -1) + 1)
    activeRanks = Array(repeating: 0, count: (sourceOfRank.count + 63) / 64)
  }

  /// Inserts a rank of a source.
  ///
  /// Ranks at or after it increase by one.
  mutating func insertRank(_ rank: Int, of source: Int) {
    ranks.insert(Rank(source: source), at: rank)
    while sides.count <= source { sides.append(Side()) }
    if leadingRank != .max, leadingRank >= rank { leadingRank += 1 }
    activeRanks = Array(repeating: 0, count: (ranks.count + 63) / 64)
    for (rank, state) in ranks.enumerated() where state.active > 0 {
      activeRanks[rank / 64] |= 1 << UInt64(rank % 64)
    }
  }

  /// Begins a sample of a rank.
  mutating func begin(_ rank: Int, at time: Double) {
    let source = ranks[rank].source
    sides[source].active += 1
    ranks[rank].active += 1
    if ranks[rank].active == 1 {
      activeRanks[rank / 64] |= 1 << UInt64(rank % 64)
      if rank < leadingRank { lead(rank, at: time) }
    }
    if sides[source].active == 1, leader != source { sides[source].losingSince = time }
  }

  /// Ends a sample of a rank.
  mutating func end(_ rank: Int, at time: Double) {
    let source = ranks[rank].source
    sides[source].active -= 1
    if sides[source].active == 0 { sides[source] = Side() }
    ranks[rank].active -= 1
    if ranks[rank].active == 0 {
      activeRanks[rank / 64] &= ~(1 << UInt64(rank % 64))
      if rank == leadingRank { lead(firstActiveRank, at: time) }
    }
  }

  /// Returns the time for which other sources have counted during the source's current run of
  /// active samples, in seconds.
  ///
  /// Only the difference between two calls in the same run is meaningful.
  func timeLost(by source: Int, until time: Double) -> Double {
    sides[source].lost + max(0, time - sides[source].losingSince)
  }

  /// The source that counts, or nil if no sample is active.
  var leadingSource: Int? { leader < 0 ? nil : leader }

  /// Returns the source that counts if instantaneous samples of these ranks occur among the active
  /// samples.
  func leader(amongPointsOf ranks: some Sequence<Int>) -> Int? {
    let rank = min(ranks.min() ?? .max, leadingRank)
    return rank == .max ? nil : self.ranks[rank].source
  }

  private mutating func lead(_ rank: Int, at time: Double) {
    let before = leader
    leadingRank = rank
    leader = rank == .max ? -1 : ranks[rank].source
    if before == leader { return }
    if before >= 0, sides[before].active > 0 { sides[before].losingSince = time }
    if leader >= 0 {
      sides[leader].lost = timeLost(by: leader, until: time)
      sides[leader].losingSince = .infinity
    }
  }

  private var firstActiveRank: Int {
    guard let word = activeRanks.firstIndex(where: { $0 != 0 }) else { return .max }
    return word * 64 + activeRanks[word].trailingZeroBitCount
  }
}
