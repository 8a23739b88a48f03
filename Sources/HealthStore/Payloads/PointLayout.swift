import Foundation

/// The columns of a point chunk.
///
/// Raw values are stored and never reused.
package enum PointLayout: UInt8, CaseIterable, Sendable {
  /// For each location: timestamp, latitude, longitude, altitude, horizontal and vertical accuracy,
  /// course and its accuracy, speed and its accuracy, and source flags.
  case locations = 1
  /// For each heartbeat: the time since the start of the series, and 1 after a gap or 0.
  case heartbeats = 2
  /// For each quantity: start, end and value.
  case quantities = 3
  /// For each voltage: the time since the start of the electrocardiogram, and the value.
  case voltages = 4

  /// The number of columns.
  package var width: Int {
    switch self {
    case .locations: 11
    case .heartbeats, .voltages: 2
    case .quantities: 3
    }
  }

  /// Returns whether a column holds dates, in seconds since 2001.
  func isDate(_ column: Int) -> Bool {
    switch self {
    case .locations: column == 0
    case .heartbeats, .voltages: false
    case .quantities: column < 2
    }
  }

  /// The flag column and its allowed values, if the layout has one.
  var flags: (column: Int, allowed: Set<Double>)? {
    switch self {
    // 0 if the source is unknown. Otherwise 1, plus 2 if software simulated the location, plus 4 if
    // an accessory produced it.
    case .locations: (10, [0, 1, 3, 5, 7])
    case .heartbeats: (1, [0, 1])
    case .quantities, .voltages: nil
    }
  }

  /// Returns whether points are valid for a sample with the given dates.
  ///
  /// The numbers are in row-major order.
  ///
  /// Locations may have any values except for their time. Quantities must lie within the sample's
  /// dates, in order of start.
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
