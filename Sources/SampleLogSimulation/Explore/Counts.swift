/// How much a simulation has looked at.
package struct Counts: Sendable {
  package var workloads = 0
  /// Images made, equal ones included.
  package var images = 0
  /// Images opened: of equal ones in one workload only those of which something else is expected.
  package var opened = 0
  /// Images unlike any that the same explorer has opened.
  package var distinct = 0
  /// Images of crashes during the opening of another image, or after it, by depth from 2 on.
  package var recoveries = [0, 0]
  /// Calls that the disk refused.
  package var errors = 0
  /// Anchors, queries and look-ups compared with the reference store.
  package var queries = 0
  /// Images verified and opened read-only beside being opened.
  package var verified = 0
  /// Workloads run twice with byte-equal event logs.
  package var repeated = 0
  /// Bits flipped, and sectors zeroed, swapped, doubled, cut off or written back to an older state.
  package var flips = 0
  package var otherRot = 0
  /// A digest of all that happened, in any order.
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
