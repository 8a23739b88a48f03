/// Tells a store's files from those of a copy of it that went its own way.
///
/// Copies have the same identity. Each that was restored or repaired has an epoch of its own, which
/// begins with the record of the epochs before it; what those have behind that sequence number is
/// not this store's.
struct CopyCheck {
  private let epoch: UInt32
  private let lineage: Lineage
  /// The sequence number with which the epoch begins; 0 in a store that is no copy.
  private let start: UInt64

  /// - Returns: nil when the record of the epochs is lost, so that nothing can be told.
  init?(_ recovered: Recovered) {
    epoch = recovered.epoch
    lineage = recovered.lineage
    start = recovered.settings[Lineage.key]?.sequence ?? 0
    if epoch != 1, lineage.ancestors.isEmpty { return nil }
  }

  /// Whether a file that goes up to a sequence number is another copy's.
  func isOther(_ origin: FileOrigin, through last: UInt64) -> Bool {
    if origin.epoch == epoch { return false }
    guard let end = lineage.end(origin.epoch) else { return true }
    // Earlier versions did not record where an epoch ended that a repair made the last of.
    let isKnown = lineage.ancestors.last.flatMap { lineage.end($0.epoch) } == start - 1
    return max(last, origin.deadThrough) > (isKnown ? end : start - 1)
  }
}
