/// The origins of samples that have occurred, in the order of their priority, and their sources.
///
/// Origins are met while samples are read, so a rank may be inserted between others at any time.
/// Sources keep their numbers, which are in the order in which they were met.
struct SourceRanks: Sendable {
  private let priority: SourcePriority

  /// The origins by rank.
  private(set) var origins: [SourcePriority.Origin] = []

  /// The number of the source that each rank belongs to.
  private(set) var sourceOfRank: [Int] = []

  /// The sources by number.
  private(set) var sources: [HKSource] = []

  /// No ranks yet.
  init(by priority: SourcePriority) { self.priority = priority }

  /// The rank of an origin, and whether it was inserted just now.
  ///
  /// - Complexity: Logarithmic in the ranks, linear for a new one.
  mutating func rank(of origin: SourcePriority.Origin) -> (rank: Int, isNew: Bool) {
    var (low, high) = (0, origins.count)
    while low < high {
      let middle = low + (high - low) / 2
      if priority.prefers(origins[middle], to: origin) { low = middle + 1 } else { high = middle }
    }
    if low < origins.count, origins[low] == origin { return (low, false) }
    let source = HKSource(name: origin.name, bundleIdentifier: origin.bundleIdentifier)
    let number = sources.firstIndex(of: source) ?? sources.count
    if number == sources.count { sources.append(source) }
    origins.insert(origin, at: low)
    sourceOfRank.insert(number, at: low)
    return (low, true)
  }
}
