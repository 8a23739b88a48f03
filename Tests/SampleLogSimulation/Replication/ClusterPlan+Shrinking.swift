extension ClusterPlan {
  /// Returns the smallest set of steps found that still fails, as positions.
  package func smallestFailing() -> [Int] {
    var kept = Array(words.indices)
    var size = max(1, kept.count / 2)
    while true {
      var isSmaller = false
      var start = 0
      while start < kept.count {
        let tried = Array(kept[..<start] + kept[min(start + size, kept.count)...])
        let cluster = SimulatedCluster(ClusterPlan(seed: seed, keep: tried))
        cluster.run()
        if cluster.breaches.isEmpty {
          start += size
        } else {
          kept = tried
          isSmaller = true
        }
      }
      if size == 1, !isSmaller { return kept }
      size = max(1, size / 2)
    }
  }
}
