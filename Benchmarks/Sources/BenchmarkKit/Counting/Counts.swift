/// The number of memory allocations, their bytes, and the number of decoded values.
package struct AllocationCounts: Sendable {
  package var count: UInt64
  package var bytes: UInt64
  package var values: UInt64

  package init(count: UInt64, bytes: UInt64, values: UInt64) {
    self.count = count
    self.bytes = bytes
    self.values = values
  }
}

/// The countable costs of one round of a task.
struct Counts: Codable, Equatable {
  var allocations = 0
  var allocatedBytes = 0
  var reads = 0
  var readBytes = 0
  var writes = 0
  var writtenBytes = 0
  var syncs = 0
  /// The number of values that were decoded from columns, including computed identifiers.
  var decodedValues = 0
  /// Instructions, or nil without valgrind.
  var instructions: Int?

  /// The counts by name, in the order of display.
  var named: [(name: String, count: Int)] {
    let exact = [
      ("allocations", allocations), ("allocated bytes", allocatedBytes), ("reads", reads),
      ("bytes read", readBytes), ("writes", writes), ("bytes written", writtenBytes),
      ("syncs", syncs), ("values decoded", decodedValues),
    ]
    return exact.map { (name: $0.0, count: $0.1) }
      + (instructions.map { [(name: "instructions", count: $0)] } ?? [])
  }
}

/// The accepted counts, and the tolerance above them.
struct Thresholds: Codable {
  /// The accepted relative increase: 0.03 is three per cent.
  var tolerance: Double
  var scenarios: [String: Counts]

  /// Returns the accepted increase of a count due to chance.
  ///
  /// Parallel reading takes a few allocations for each helping thread, and the system decides how
  /// many threads help. A call that changes threads runs a varying number of instructions to do so.
  private static func chance(of name: String, _ count: Int, in scenario: String) -> Double {
    switch name {
    case "allocations": 16
    case "allocated bytes": 16_384
    case "instructions" where CountedCall(rawValue: scenario) != nil: Double(count) / 4
    default: 0
    }
  }

  /// Descriptions of the counts that exceed the limits, or an empty array.
  func problems(_ name: String, _ counts: Counts) -> [String] {
    guard let allowed = scenarios[name] else { return ["\(name): there is no threshold"] }
    return zip(counts.named, allowed.named).compactMap { found, allowed in
      let chance = Self.chance(of: allowed.name, allowed.count, in: name)
      let limit = Double(allowed.count) * (1 + tolerance) + chance
      guard found.name == allowed.name, Double(found.count) > limit else { return nil }
      let more = (Double(found.count) / Double(max(1, allowed.count)) - 1) * 100
      return "\(name): \(found.count) \(found.name), accepted: \(allowed.count) "
        + "(+\(more.rounded(toPlaces: 1)) %)"
    }
  }
}
