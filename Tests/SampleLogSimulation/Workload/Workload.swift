/// A workload: its steps, the injected faults and a seed, which together determine a run
/// completely.
package struct Workload: Hashable, Sendable, CustomStringConvertible {
  package var steps: [Step]
  package var faults: [DiskFault] = []
  package var seed: UInt64 = 1
  /// The number of rows at which a log is sealed, or 0 for no limit.
  package var sealRows = 0
  /// The time for which deletions are retained, in seconds.
  ///
  /// Each step takes one second.
  package var retention = 3
  /// The maximum number of rows of a merged segment, or 0 for no limit.
  package var segmentRows = 0
  /// Whether segments are merged in the background, up to `segmentRows`.
  ///
  /// Logs are then sealed only by steps, which wait for the background work.
  package var isMerging = false
  /// The number of subjects.
  package var people = 1
  /// A bug planted in the disk, to test the simulator itself.
  package var bug: PlantedBug?

  package init(_ steps: [Step], faults: [DiskFault] = [], seed: UInt64 = 1) {
    self.steps = steps
    self.faults = faults
    self.seed = seed
  }

  /// The workload in the form that ``init(_:)`` parses.
  package var description: String {
    var parts = ["seed=\(seed)"]
    if sealRows > 0 { parts.append("rows=\(sealRows)") }
    if segmentRows > 0 { parts.append("segment=\(segmentRows)") }
    if isMerging { parts.append("merging=1") }
    if people != 1 { parts.append("people=\(people)") }
    if retention != 3 { parts.append("retention=\(retention)") }
    if let bug { parts.append("bug=\(bug.rawValue)") }
    if !faults.isEmpty {
      parts.append("faults=" + faults.map(\.description).joined(separator: ","))
    }
    parts.append("steps=" + steps.map(\.description).joined(separator: ","))
    return parts.joined(separator: " ")
  }

  package init?(_ text: String) {
    self.init([])
    for part in text.split(separator: " ") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { return nil }
      let items = pair[1].split(separator: ",")
      switch pair[0] {
      case "seed":
        guard let seed = UInt64(pair[1]) else { return nil }
        self.seed = seed
      case "rows": sealRows = Int(pair[1]) ?? 0
      case "segment": segmentRows = Int(pair[1]) ?? 0
      case "merging": isMerging = pair[1] == "1"
      case "people": people = Int(pair[1]) ?? 1
      case "retention": retention = Int(pair[1]) ?? 3
      case "bug": bug = PlantedBug(rawValue: String(pair[1]))
      case "faults":
        faults = items.compactMap { DiskFault($0) }
        guard faults.count == items.count else { return nil }
      case "steps":
        steps = items.compactMap { Step($0) }
        guard steps.count == items.count else { return nil }
      default: return nil
      }
    }
  }
}

/// A violation, with the workload that caused it.
package struct SimulationFailure: Error, CustomStringConvertible, Sendable {
  package var workload: Workload
  /// The replay argument, if it is not a workload.
  package var replay: String?
  package var message: String

  package var description: String {
    "\(message)\n  replay with: "
      + "swift run -c release Prove images --replay '\(replay ?? workload.description)'"
  }
}
