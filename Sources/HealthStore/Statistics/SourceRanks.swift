/// The ranks of the claims that occur, and the sources that the ranks belong to.
///
/// Sources are numbered in the order of their best rank.
struct SourceRanks: Sendable {
  /// The rank of each claim, from 0 for the most believable one.
  let ranks: [SourcePriority.Claim: Int]

  /// The number of the source that each rank belongs to.
  let sourceOfRank: [Int]

  /// The sources by number.
  let sources: [HKSource]

  /// Ranks claims, each once; takes `n log n` time for `n` claims.
  init(_ claims: some Sequence<SourcePriority.Claim>, by priority: SourcePriority) {
    let ordered = Set(claims).sorted { priority.prefers($0, to: $1) }
    var numbers: [HKSource: Int] = [:]
    var sources: [HKSource] = []
    var sourceOfRank: [Int] = []
    for claim in ordered {
      let source = HKSource(name: claim.name, bundleIdentifier: claim.bundleIdentifier)
      let number = numbers[source] ?? sources.count
      if number == sources.count {
        numbers[source] = number
        sources.append(source)
      }
      sourceOfRank.append(number)
    }
    ranks = Dictionary(
      ordered.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    self.sourceOfRank = sourceOfRank
    self.sources = sources
  }
}
