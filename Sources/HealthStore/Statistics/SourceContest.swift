/// Which of several sources counts at a moment: the one whose sample has the highest priority.
///
/// While another source counts, time is lost to the samples of a source; that time is kept
/// per source and not per sample, so that a change of the leader costs the same however many
/// samples last. Changes look at one bit per rank.
struct SourceContest: Sendable {
  private struct Rank: Sendable {
    let source: Int
    /// How many samples of the rank last.
    var lasting = 0
  }

  private struct Side: Sendable {
    /// How many of the source's samples last.
    var lasting = 0
    /// How long others counted while the source's samples lasted, up to `losingSince`.
    var lost = 0.0
    /// Since when another source has counted; infinity while none does.
    var losingSince = Double.infinity
  }

  private var ranks: [Rank]
  private var sides: [Side]
  /// A bit for each rank, which says whether samples of the rank last.
  private var lastingRanks: [UInt64]
  /// The rank that counts, and its source; the highest and the lowest number while nothing
  /// lasts.
  private var leadingRank = Int.max
  private var leader = -1

  /// A contest of the sources that ranks belong to; sources are numbered from 0.
  init(sourceOfRank: [Int]) {
    ranks = sourceOfRank.map { Rank(source: $0) }
    sides = Array(repeating: Side(), count: (sourceOfRank.max() ?? -1) + 1)
    lastingRanks = Array(repeating: 0, count: (sourceOfRank.count + 63) / 64)
  }

  /// Makes room for a rank of a source: ranks that were not above it move down by one.
  mutating func insertRank(_ rank: Int, of source: Int) {
    ranks.insert(Rank(source: source), at: rank)
    while sides.count <= source { sides.append(Side()) }
    if leadingRank != .max, leadingRank >= rank { leadingRank += 1 }
    lastingRanks = Array(repeating: 0, count: (ranks.count + 63) / 64)
    for (rank, state) in ranks.enumerated() where state.lasting > 0 {
      lastingRanks[rank / 64] |= 1 << UInt64(rank % 64)
    }
  }

  /// A sample of a rank begins.
  mutating func begin(_ rank: Int, at time: Double) {
    let source = ranks[rank].source
    sides[source].lasting += 1
    ranks[rank].lasting += 1
    if ranks[rank].lasting == 1 {
      lastingRanks[rank / 64] |= 1 << UInt64(rank % 64)
      if rank < leadingRank { lead(rank, at: time) }
    }
    if sides[source].lasting == 1, leader != source { sides[source].losingSince = time }
  }

  /// A sample of a rank ends.
  mutating func end(_ rank: Int, at time: Double) {
    let source = ranks[rank].source
    sides[source].lasting -= 1
    if sides[source].lasting == 0 { sides[source] = Side() }
    ranks[rank].lasting -= 1
    if ranks[rank].lasting == 0 {
      lastingRanks[rank / 64] &= ~(1 << UInt64(rank % 64))
      if rank == leadingRank { lead(firstLastingRank, at: time) }
    }
  }

  /// How long others have counted while a source's samples lasted without a break.
  ///
  /// Only the difference between two moments means something.
  func timeLost(by source: Int, until time: Double) -> Double {
    sides[source].lost + max(0, time - sides[source].losingSince)
  }

  /// The source that counts; nil while nothing lasts.
  var leadingSource: Int? { leader < 0 ? nil : leader }

  /// The source that counts when points of these ranks happen among the samples that last.
  func leader(amongPointsOf ranks: some Sequence<Int>) -> Int? {
    let rank = min(ranks.min() ?? .max, leadingRank)
    return rank == .max ? nil : self.ranks[rank].source
  }

  private mutating func lead(_ rank: Int, at time: Double) {
    let before = leader
    leadingRank = rank
    leader = rank == .max ? -1 : ranks[rank].source
    if before == leader { return }
    if before >= 0, sides[before].lasting > 0 { sides[before].losingSince = time }
    if leader >= 0 {
      sides[leader].lost = timeLost(by: leader, until: time)
      sides[leader].losingSince = .infinity
    }
  }

  private var firstLastingRank: Int {
    guard let word = lastingRanks.firstIndex(where: { $0 != 0 }) else { return .max }
    return word * 64 + lastingRanks[word].trailingZeroBitCount
  }
}
