/// The samples that recent commits depend on.
///
/// A commit that deletes one of them and was prepared earlier is stale.
///
/// Few commits depend on samples that they do not change, so this list is usually empty.
struct RecentDependencies {
  private static let limit = 64

  private var commits: [(first: UInt64, ids: Set<Identifier>)] = []
  /// The first sequence number of the newest commit that was dropped from the list.
  private var forgotten: UInt64 = 0

  /// Records the dependencies of a commit that is about to be written.
  mutating func note(_ ids: Set<Identifier>, first: UInt64) {
    if ids.isEmpty { return }
    if commits.count == Self.limit { forgotten = commits.removeFirst().first }
    commits.append((first, ids))
  }

  /// Returns whether no commit after a sequence number depends on any of the given rows.
  ///
  /// May return false if commits were dropped from the list since.
  func leave(_ ids: [Identifier], since end: UInt64) -> Bool {
    guard !ids.isEmpty, let last = commits.last, last.first > end else { return true }
    guard forgotten <= end else { return false }
    return commits.allSatisfy { commit in
      commit.first <= end || !ids.contains(where: commit.ids.contains)
    }
  }
}
