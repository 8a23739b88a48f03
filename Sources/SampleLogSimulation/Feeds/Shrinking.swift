/// Finds few steps that still fail.
package enum Shrinking {
  /// Returns the numbers of steps of a failing plan that suffice to make it fail.
  ///
  /// First the shortest failing beginning, then without each piece that is not needed.
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
