/// What a peer reached in one respect: a figure for each repetition, and what it read.
package struct Measurement: Codable, Sendable {
  /// Which way is better.
  package enum Goal: String, Codable, Sendable {
    case more, less
  }

  package var title: String
  package var unit: String
  package var goal: Goal
  package var values: [Double]
  /// What was read; nil where there is nothing to compare.
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

  /// The middle value.
  package var median: Double { values.percentile(0.5) }

  /// The least value; 0 when there is none.
  package var minimum: Double { values.min() ?? 0 }

  /// The greatest value; 0 when there is none.
  package var maximum: Double { values.max() ?? 0 }

  /// How many times better this is than another measurement of the same thing.
  package func advantage(over other: Measurement) -> Double {
    goal == .more ? median / other.median : other.median / median
  }
}

extension [Double] {
  /// The value that `fraction` of the values do not exceed; 0 when there are none.
  package func percentile(_ fraction: Double) -> Double {
    guard !isEmpty else { return 0 }
    return sorted()[Swift.min(count - 1, Int(fraction * Double(count)))]
  }
}
