import Foundation

/// What the columns of a chunk of points are; the numbers are stored and never reused.
package enum PointLayout: UInt8, CaseIterable, Sendable {
  /// Timestamp, latitude, longitude, altitude, horizontal and vertical accuracy, course and its
  /// accuracy, speed and its accuracy, and flags of the source, of each location.
  case locations = 1
  /// The time since the start of the series, and 1 after a gap or 0, of each heartbeat.
  case heartbeats = 2
  /// Start, end and value of each quantity.
  case quantities = 3
  /// The time since the start of the electrocardiogram, and the voltage.
  case voltages = 4

  /// The number of columns.
  package var width: Int {
    switch self {
    case .locations: 11
    case .heartbeats, .voltages: 2
    case .quantities: 3
    }
  }

  /// Whether a column's numbers are seconds since 2001.
  func isDate(_ column: Int) -> Bool {
    switch self {
    case .locations: column == 0
    case .heartbeats, .voltages: false
    case .quantities: column < 2
    }
  }

  /// A column whose numbers say one of a few things, and which these are.
  var flags: (column: Int, allowed: Set<Double>)? {
    switch self {
    // Nothing is known of the source; else 1, and 2 if software simulated the location, and 4 if an
    // accessory produced it.
    case .locations: (10, [0, 1, 3, 5, 7])
    case .heartbeats: (1, [0, 1])
    case .quantities, .voltages: nil
    }
  }

  /// Whether readers take points of a sample of a time, whose numbers follow one another.
  ///
  /// Locations may have any numbers but for their time; of quantities each must lie in the sample's
  /// time, in order of their start.
  package func admits(_ numbers: [Double], from start: Double, to end: Double) -> Bool {
    var last = start
    for point in stride(from: 0, to: numbers.count, by: width) {
      let numbers = numbers[point..<point + width]
      let first = numbers.startIndex
      if let flags, !flags.allowed.contains(numbers[first + flags.column]) { return false }
      if self == .locations {
        guard numbers[first].isFinite else { return false }
      } else if !numbers.allSatisfy(\.isFinite) {
        return false
      }
      guard self == .quantities else { continue }
      guard numbers[first] >= last, numbers[first] <= numbers[first + 1],
        numbers[first + 1] <= end, end < Date.distantFuture.timeIntervalSinceReferenceDate
      else { return false }
      last = numbers[first]
    }
    return true
  }
}
