/// What rows the last commits said something of, by which a commit that deletes one of them and was
/// prepared before is found to be stale.
///
/// Few commits say anything of rows that they do not touch, so mostly there is nothing to look at.
struct RecentDependencies {
  private static let limit = 64

  private var commits: [(first: UInt64, ids: Set<Identifier>)] = []
  /// The number of the last commit that was forgotten.
  private var forgotten: UInt64 = 0

  /// Takes note of a commit that is about to be written.
  mutating func note(_ ids: Set<Identifier>, first: UInt64) {
    if ids.isEmpty { return }
    if commits.count == Self.limit { forgotten = commits.removeFirst().first }
    commits.append((first, ids))
  }

  /// Whether no commit after a number may have said something of rows.
  func leave(_ ids: [Identifier], since end: UInt64) -> Bool {
    guard !ids.isEmpty, let last = commits.last, last.first > end else { return true }
    guard forgotten <= end else { return false }
    return commits.allSatisfy { commit in
      commit.first <= end || !ids.contains(where: commit.ids.contains)
    }
  }
}
