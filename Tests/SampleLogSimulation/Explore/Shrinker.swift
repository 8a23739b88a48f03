package enum Shrinker {
  /// Returns the smallest failing workload found, with its failure.
  package static func shrink(
    _ failure: SimulationFailure, _ effort: Explorer.Effort = Explorer.Effort(),
    attempts: Int = 400
  ) -> SimulationFailure {
    var best = failure
    var left = attempts
    func fails(_ workload: Workload) -> Bool {
      left -= 1
      guard left > 0 else { return false }
      do {
        var explorer = Explorer(effort)
        try explorer.explore(workload)
        return false
      } catch let failure as SimulationFailure {
        best = failure
        best.workload = workload
        return true
      } catch {
        return false
      }
    }
    var isSmaller = true
    while isSmaller, left > 0 {
      isSmaller = dropSteps(best, fails) || simplify(best, fails)
    }
    return best
  }

  private static func dropSteps(_ best: SimulationFailure, _ fails: (Workload) -> Bool) -> Bool {
    let steps = best.workload.steps
    var size = max(1, steps.count / 2)
    while size >= 1 {
      for position in stride(from: steps.count - size, through: 0, by: -size) {
        var smaller = best.workload
        smaller.steps.removeSubrange(position..<position + size)
        if fails(smaller) { return true }
      }
      size /= 2
    }
    return false
  }

  private static func simplify(_ best: SimulationFailure, _ fails: (Workload) -> Bool) -> Bool {
    let workload = best.workload
    for position in workload.faults.indices {
      var smaller = workload
      smaller.faults.remove(at: position)
      if fails(smaller) { return true }
      let fault = workload.faults[position]
      for ordinal in 1..<max(1, min(fault.ordinal, 12)) {
        smaller = workload
        smaller.faults[position].ordinal = ordinal
        if fails(smaller) { return true }
      }
      if fault.times > 1 {
        smaller = workload
        smaller.faults[position].times = 1
        if fails(smaller) { return true }
      }
    }
    for (position, step) in workload.steps.enumerated() {
      var smaller = workload
      switch step {
      case .save(let count) where count > 1: smaller.steps[position] = .save(1)
      case .saveParent(let count) where count > 1: smaller.steps[position] = .saveParent(1)
      case .saveVersion, .exchange, .saveParent, .addChild: smaller.steps[position] = .save(1)
      case .powerCut, .kill: smaller.steps[position] = .reopen
      case .compactConcurrently: smaller.steps[position] = .compact
      default: continue
      }
      if fails(smaller) { return true }
    }
    if workload.sealRows > 0 {
      var smaller = workload
      smaller.sealRows = 0
      if fails(smaller) { return true }
    }
    return false
  }
}
