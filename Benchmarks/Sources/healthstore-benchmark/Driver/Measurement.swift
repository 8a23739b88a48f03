/// What a peer reached in one respect: a figure for each repetition, and what it read.
struct Measurement {
  /// Which way is better.
  enum Goal {
    case more, less
  }

  let title: String
  let unit: String
  let goal: Goal
  let values: [Double]
  /// What was read; nil where there is nothing to compare.
  let digest: Digest?

  /// The middle value.
  var median: Double {
    values.percentile(0.5)
  }

  /// Half the distance between the extremes, in per cent of the median; nil for a single value.
  var spread: Double? {
    guard values.count > 1, let low = values.min(), let high = values.max() else { return nil }
    return median == 0 ? 0 : (high - low) / 2 / median * 100
  }

  /// How many times better this is than another measurement of the same thing.
  func advantage(over other: Measurement) -> Double {
    goal == .more ? median / other.median : other.median / median
  }
}

extension [Double] {
  /// The value that `fraction` of the values do not exceed; 0 when there are none.
  func percentile(_ fraction: Double) -> Double {
    guard !isEmpty else { return 0 }
    return sorted()[Swift.min(count - 1, Int(fraction * Double(count)))]
  }
}
