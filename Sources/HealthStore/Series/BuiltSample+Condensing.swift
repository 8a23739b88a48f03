import Foundation

// Creates one sample from several values.
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
      children: PointChunk.chunks(of: values), device: device, metadata: metadata,
      sourceRevision: sourceRevision)
  }
}
