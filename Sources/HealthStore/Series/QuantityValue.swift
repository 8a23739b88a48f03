import Foundation

/// A single value of a quantity sample.
struct QuantityValue: Sendable {
  var value: Double
  /// Seconds since 2001.
  var start: Double
  var end: Double

  var interval: DateInterval {
    DateInterval(
      start: Date(timeIntervalSinceReferenceDate: start),
      end: Date(timeIntervalSinceReferenceDate: max(start, end)))
  }
}

extension PointChunk {
  /// Splits values into chunks.
  static func chunks(of values: [QuantityValue]) -> [PointChunk] {
    chunks(.quantities, of: values) { value, out, stride in
      out[0] = value.start
      out[stride] = value.end
      out[2 * stride] = value.value
    }
  }

  /// Returns the value at a point of a chunk.
  func value(_ point: Int) -> QuantityValue {
    QuantityValue(value: self[2, point], start: self[0, point], end: self[1, point])
  }
}

extension BuiltSample {
  /// Creates a sample from one or more values of its type, in order of start.
  convenience init(
    condensing values: [QuantityValue], unit: HKUnit, type: HKQuantityType, start: Date, end: Date,
    device: HKDevice?, metadata: [String: Any]?, sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) {
    let latest = values.max { ($0.end, $0.start) < ($1.end, $1.start) }
    guard let latest else {
      throw .invalidContents(type: type.identifier, reason: "A series has a value at least.")
    }
    var mean = StatisticsMean(type.aggregationStyle)
    var (sum, minimum, maximum) = (0.0, Double.infinity, -Double.infinity)
    // Weights are durations; if all values are instantaneous, their weights are equal.
    let areMoments = values.allSatisfy { $0.start == $0.end }
    for value in values {
      mean.add(value.value, seconds: areMoments ? 1 : value.end - value.start)
      sum += value.value
      minimum = min(minimum, value.value)
      maximum = max(maximum, value.value)
    }
    // Clamps the average, because rounding may move it outside the range of the values.
    let average = mean.value.map { min(max($0, minimum), maximum) }
    try self.init(
      validating: type, quantity: HKQuantity(unit: unit, doubleValue: average ?? sum), start: start,
      end: end,
      payload: QuantitySeriesPayload(
        count: values.count, minimum: minimum, maximum: maximum, mostRecent: latest),
      owned: PointChunk.chunks(of: values), device: device, metadata: metadata,
      sourceRevision: sourceRevision)
  }
}
