/// Counters of a simulation, which detect runs that test nothing.
package struct ClusterFigures: Sendable {
  package var steps = 0
  package var commits = 0
  package var replicated = 0
  /// The number of replicated commits that were acknowledged because other nodes had them.
  package var copied = 0
  /// The number of lost disks.
  package var disks = 0
  /// The number of promotions that were refused because another replica was ahead.
  package var behind = 0
  /// The number of replicated samples lost by a promotion that no report of them had reached.
  package var unreported = 0
  package var promotions = 0
  package var deaths = 0
  /// The number of replicas that could not follow the stream.
  package var lost = 0
  /// The number of primaries that rejoined with unpublished commits.
  package var unpublished = 0
  package var losses = 0
  /// The number of times that a program which does not publish opened a primary's store.
  package var offline = 0
  /// The number of times that a primary's store was replaced by a restored or repaired copy.
  package var restored = 0
  package var repaired = 0
  /// The number of publisher steps whose logs did not continue the stream.
  package var gaps = 0
  /// The number of sealed logs that were removed while no program ran.
  package var removedLogs = 0
  /// The number of times that commits rebuilt from segments were published.
  package var rebuilt = 0
  package var pages = 0
  /// The number of anchors refused because the history they had seen is lost.
  package var refusals = 0
  /// The number of acknowledged samples checked at the end.
  package var kept = 0
  /// The number of erased samples of which no byte was found at the end.
  package var erased = 0

  package init() {}

  package static func += (left: inout ClusterFigures, right: ClusterFigures) {
    left.steps += right.steps
    left.commits += right.commits
    left.replicated += right.replicated
    left.copied += right.copied
    left.disks += right.disks
    left.behind += right.behind
    left.unreported += right.unreported
    left.promotions += right.promotions
    left.deaths += right.deaths
    left.lost += right.lost
    left.unpublished += right.unpublished
    left.losses += right.losses
    left.offline += right.offline
    left.restored += right.restored
    left.repaired += right.repaired
    left.gaps += right.gaps
    left.removedLogs += right.removedLogs
    left.rebuilt += right.rebuilt
    left.pages += right.pages
    left.refusals += right.refusals
    left.kept += right.kept
    left.erased += right.erased
  }
}
