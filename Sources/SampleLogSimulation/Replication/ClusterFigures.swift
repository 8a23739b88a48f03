/// What was tried, so that a proof that tried nothing is noticed.
package struct ClusterFigures: Sendable {
  package var steps = 0
  package var commits = 0
  package var replicated = 0
  /// How many of those were acknowledged when other machines had them.
  package var copied = 0
  /// How often a machine lost its disk.
  package var disks = 0
  /// How often a promotion was refused because another replica had more.
  package var behind = 0
  /// Copied samples that a promotion lost because no report of them had reached it.
  package var unreported = 0
  package var promotions = 0
  package var deaths = 0
  /// How often a replica was found not to follow the stream.
  package var lost = 0
  /// How often a primary came back with commits of its own.
  package var unpublished = 0
  package var losses = 0
  /// The number of times that a program which does not publish opened a primary's store.
  package var offline = 0
  /// Steps of publishers whose logs did not continue the stream.
  package var gaps = 0
  /// Sealed logs that were removed while no program ran.
  package var removedLogs = 0
  /// How often commits were published that were rebuilt from segments.
  package var rebuilt = 0
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
    left.gaps += right.gaps
    left.removedLogs += right.removedLogs
    left.rebuilt += right.rebuilt
    left.pages += right.pages
    left.refusals += right.refusals
    left.kept += right.kept
  }
}
