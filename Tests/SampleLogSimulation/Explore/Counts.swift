/// Counters of a simulation.
package struct Counts: Sendable {
  package var workloads = 0
  /// The number of images created, including duplicates.
  package var images = 0
  /// The number of images opened.
  ///
  /// Duplicates in one workload are opened only if the expectation differs.
  package var opened = 0
  /// The number of distinct images opened by the same explorer.
  package var distinct = 0
  /// The numbers of crashes during or after the opening of an image, by depth from 2.
  package var recoveries = [0, 0]
  /// The number of injected errors.
  package var errors = 0
  /// The number of anchors, queries and look-ups compared with the reference store.
  package var queries = 0
  /// The number of images that were also verified and opened read-only.
  package var verified = 0
  /// The number of workloads that were run twice with identical event logs.
  package var repeated = 0
  /// The numbers of flipped bits, and of sectors zeroed, swapped, copied, truncated or reverted.
  package var flips = 0
  package var otherRot = 0
  /// An order-independent digest of all events.
  package var digest: UInt64 = 0

  package init() {}

  package static func += (left: inout Counts, right: Counts) {
    left.workloads += right.workloads
    left.images += right.images
    left.opened += right.opened
    left.distinct += right.distinct
    for depth in left.recoveries.indices { left.recoveries[depth] += right.recoveries[depth] }
    left.errors += right.errors
    left.queries += right.queries
    left.verified += right.verified
    left.repeated += right.repeated
    left.flips += right.flips
    left.otherRot += right.otherRot
    left.digest &+= right.digest
  }
}
