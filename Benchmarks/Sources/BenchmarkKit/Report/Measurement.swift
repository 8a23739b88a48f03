/// A figure of a peer: its value in each repetition, and the digest of the rows read.
package struct Measurement: Codable, Sendable {
  /// The direction in which values improve.
  package enum Goal: String, Codable, Sendable {
    case more, less
  }

  package var title: String
  package var unit: String
  package var goal: Goal
  package var values: [Double]
  /// The digest of the rows read, or nil if there is nothing to compare.
  package var digest: Digest?

  package init(
    _ title: String, _ unit: String, _ goal: Goal, _ values: [Double], _ digest: Digest? = nil
  ) {
    self.title = title
    self.unit = unit
    self.goal = goal
    self.values = values
    self.digest = digest
  }

  /// The median.
  package var median: Double { values.percentile(0.5) }

  /// The minimum, or 0 without values.
  package var minimum: Double { values.min() ?? 0 }

  /// The maximum, or 0 without values.
  package var maximum: Double { values.max() ?? 0 }

  /// The factor by which this is better than another measurement of the same kind.
  package func advantage(over other: Measurement) -> Double {
    goal == .more ? median / other.median : other.median / median
  }
}

extension [Double] {
  /// The value that `fraction` of the values do not exceed, or 0 without values.
  package func percentile(_ fraction: Double) -> Double {
    guard !isEmpty else { return 0 }
    return sorted()[Swift.min(count - 1, Int(fraction * Double(count)))]
  }
}
