/// How often memory was asked for.
package struct AllocationCounts: Sendable {
  package var count: UInt64
  package var bytes: UInt64

  package init(count: UInt64, bytes: UInt64) {
    self.count = count
    self.bytes = bytes
  }
}

/// What one round of a piece of work costs, in things that can be counted.
struct Counts: Codable, Equatable {
  var allocations = 0
  var allocatedBytes = 0
  var reads = 0
  var readBytes = 0
  var writes = 0
  var writtenBytes = 0
  var syncs = 0
  /// Instructions; nil where there is no valgrind to count them.
  var instructions: Int?

  /// The counts by name, in the order in which they are shown.
  var named: [(name: String, count: Int)] {
    let exact = [
      ("allocations", allocations), ("allocated bytes", allocatedBytes), ("reads", reads),
      ("bytes read", readBytes), ("writes", writes), ("bytes written", writtenBytes),
      ("syncs", syncs),
    ]
    return exact.map { (name: $0.0, count: $0.1) }
      + (instructions.map { [(name: "instructions", count: $0)] } ?? [])
  }
}

/// The counts that were committed, and how far above them a count may be.
struct Thresholds: Codable {
  /// The part by which a count may be greater: 0.03 is three per cent.
  var tolerance: Double
  var scenarios: [String: Counts]

  /// Returns how much greater a count may be by chance.
  ///
  /// Parallel reading takes a few allocations for each thread that helps, and the system decides
  /// how many do. A call that changes threads runs a varying number of instructions to hand itself
  /// over.
  private static func chance(of name: String, _ count: Int, in scenario: String) -> Double {
    switch name {
    case "allocations": 16
    case "allocated bytes": 16_384
    case "instructions" where CountedCall(rawValue: scenario) != nil: Double(count) / 4
    default: 0
    }
  }

  /// What of a piece of work's counts is too much, in words; empty when all is well.
  func problems(_ name: String, _ counts: Counts) -> [String] {
    guard let allowed = scenarios[name] else { return ["\(name): there is no threshold"] }
    return zip(counts.named, allowed.named).compactMap { found, allowed in
      let chance = Self.chance(of: allowed.name, allowed.count, in: name)
      let limit = Double(allowed.count) * (1 + tolerance) + chance
      guard found.name == allowed.name, Double(found.count) > limit else { return nil }
      let more = (Double(found.count) / Double(max(1, allowed.count)) - 1) * 100
      return "\(name): \(found.count) \(found.name), \(allowed.count) were committed "
        + "(+\(more.rounded(toPlaces: 1)) %)"
    }
  }
}
