extension Enumeration {
  /// Returns a random workload with many small segments.
  ///
  /// The newest are merged in the background, while older ones accumulate deletions and are not
  /// rewritten.
  package static func merging(seed: UInt64) -> Workload {
    var random = Seeded(mixed(~seed))
    let count = 40 + random.below(41)
    let segmentRows = [8, 12, 20, 30][random.below(4)]
    // Large segments exist from the beginning; the last step checks the remaining contents.
    let steps =
      [.save(segmentRows), .seal] + (0..<count).map { _ in merging(&random) }
      + [random.oneIn(2) ? .reopen : .powerCut]
    var workload = Workload(steps, seed: seed)
    workload.isMerging = true
    workload.segmentRows = segmentRows
    workload.retention = [0, 1, 4, 12][random.below(4)]
    workload.subjects = 1 + random.below(3)
    return workload
  }

  private static func merging(_ random: inout Seeded) -> Step {
    switch random.below(44) {
    case 0..<8: .save(1 + random.below(2))
    case 8: .save(4 + random.below(9))
    case 9: .saveBuffered(1 + random.below(2))
    case 10..<13: .deleteOldest
    case 13..<15: .deleteNewest
    case 15: .exchange
    case 16: .saveVersion
    case 17..<31: .seal
    case 31: .compact
    case 32: .compactConcurrently
    case 33: .expire
    case 34: .reopen
    case 35: .kill
    case 36: .powerCut
    case 37: .acknowledge
    case 38: .removeAcknowledgement
    case 39..<41: .saveParent(random.below(4))
    case 41: .addChild
    case 42: .erase
    default: .wait
    }
  }
}
