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
