/// The minimisation of failing plans.
package enum Shrinking {
  /// Returns the numbers of steps that suffice for a plan to fail.
  ///
  /// Finds the shortest failing prefix first, then removes pieces that are not needed.
  package static func smallest(_ plan: FeedPlan, tries: Int = 2000) -> [Int] {
    var left = tries
    func fails(_ kept: [Int]) -> Bool {
      left -= 1
      return !FeedSimulation(FeedPlan(seed: plan.seed, keep: kept)).run().isEmpty
    }
    var kept = Array(plan.words.indices)
    while kept.count > 1, left > 0, fails(Array(kept.dropLast(max(1, kept.count / 8)))) {
      kept.removeLast(max(1, kept.count / 8))
    }
    var piece = max(1, kept.count / 2)
    while left > 0 {
      var position = 0
      var hasShrunk = false
      while position < kept.count, left > 0 {
        var fewer = kept
        fewer.removeSubrange(position..<min(position + piece, kept.count))
        if fails(fewer) {
          kept = fewer
          hasShrunk = true
        } else {
          position += piece
        }
      }
      if piece == 1, !hasShrunk { break }
      piece = max(1, piece / 2)
    }
    return kept
  }
}
