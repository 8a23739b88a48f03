/// The origins of samples read so far in order of priority, and their sources.
///
/// Origins are discovered while samples are read, so a rank may be inserted between others at any
/// time. Source numbers are assigned in order of discovery and never change.
struct SourceRanks: Sendable {
  private let priority: SourcePriority

  /// The origins by rank.
  private(set) var origins: [SourcePriority.Origin] = []

  /// The number of the source that each rank belongs to.
  private(set) var sourceOfRank: [Int] = []

  /// The sources by number.
  private(set) var sources: [HKSource] = []

  /// Creates an empty table of ranks.
  init(by priority: SourcePriority) { self.priority = priority }

  /// Returns the rank of an origin, and whether it is new.
  ///
  /// - Complexity: Logarithmic in the number of ranks; linear if the rank is new.
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
