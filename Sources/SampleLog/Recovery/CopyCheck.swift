/// A check that distinguishes a store's files from those of a diverged copy.
///
/// Copies share the store's identity. Each restored or repaired copy has its own epoch, which
/// begins with a record of the earlier epochs. Records of an earlier epoch after that sequence
/// number do not belong to this store.
struct CopyCheck {
  private let epoch: UInt32
  private let lineage: Lineage
  /// The sequence number with which the epoch begins, or 0 if the store is the original.
  private let start: UInt64

  /// Creates a check.
  ///
  /// - Returns: nil if the record of the epochs is lost, so that files cannot be distinguished.
  init?(_ recovered: Recovered) {
    epoch = recovered.epoch
    lineage = recovered.lineage
    start = recovered.settings[Lineage.key]?.sequence ?? 0
    if epoch != 1, lineage.ancestors.isEmpty { return nil }
  }

  /// Returns whether a file that extends through a sequence number belongs to another copy.
  func isOther(_ origin: FileOrigin, through last: UInt64) -> Bool {
    if origin.epoch == epoch { return false }
    guard let end = lineage.end(origin.epoch) else { return true }
    // Earlier versions did not record the end of the epoch that a repair concluded.
    let isKnown = lineage.ancestors.last.flatMap { lineage.end($0.epoch) } == start - 1
    return max(last, origin.deletedThrough) > (isKnown ? end : start - 1)
  }
}
