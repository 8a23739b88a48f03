package import Foundation

/// The times of the heartbeats from which the momentary rates of a heart rate variability were
/// computed.
///
/// A rate is 60 s divided by the interval that ends at the heartbeat. If that interval does not
/// start at the preceding heartbeat, some were missed, and its start is the first heartbeat after
/// the gap. The start of the first interval is the first heartbeat of the series.
///
/// Times are times of day in any language, without a date. Time zones differ by whole quarters of
/// an hour, so only the time within a quarter is used: the first heartbeat is the one nearest to
/// the start of the sample, and each other heartbeat is the next after its predecessor.
package struct HeartbeatTimes {
  /// The times in seconds since the start, in non-decreasing order.
  package private(set) var times: [Double] = []
  /// 1 for a heartbeat before which others may be missing, otherwise 0.
  package private(set) var gaps: [Double] = []
  /// The offset to add to the sample's start, in seconds; 0 or less.
  package private(set) var shift = 0.0

  private static let quarter = 900.0
  /// The tolerance of an interval, in seconds.
  ///
  /// Times are rounded to hundredths of a second and rates to whole numbers, an error of up to 33
  /// ms at 30 beats per minute. A missed heartbeat makes a difference of at least 250 ms.
  private static let tolerance = 0.2
  /// The maximum distance of a heartbeat from the sample, in seconds.
  private static let margin = 10.0

  /// Parses heartbeats; nil if one of them has no time, has no positive rate, or is outside the
  /// sample's dates.
  package init?(_ beats: [ExportBeat], start: Date, end: Date) {
    let reference = start.timeIntervalSinceReferenceDate
    let duration = end.timeIntervalSinceReferenceDate - reference
    guard reference.isFinite, duration >= 0, duration.isFinite else { return nil }
    let within = Self.remainder(reference, Self.quarter)
    var last: Double?
    for beat in beats {
      guard let time = Self.seconds(beat.time), beat.bpm.isFinite, beat.bpm > 0 else { return nil }
      let interval = 60 / beat.bpm
      var elapsed = Self.remainder(time - within, Self.quarter)
      if let last {
        elapsed += ((last - elapsed) / Self.quarter).rounded(.up) * Self.quarter
      } else if elapsed > Self.quarter / 2 {
        elapsed -= Self.quarter
      }
      let before = elapsed - interval
      guard before >= -Self.margin, elapsed <= duration + Self.margin else { return nil }
      if last.map({ before > $0 + Self.tolerance }) ?? true {
        add(before, gap: last == nil ? 0 : 1)
      }
      add(elapsed, gap: 0)
      last = elapsed
    }
    guard let first = times.first else { return nil }
    if first < 0 {
      shift = first
      for index in times.indices { times[index] -= first }
    }
  }

  private mutating func add(_ time: Double, gap: Double) {
    times.append(time)
    gaps.append(gap)
  }

  private static func remainder(_ value: Double, _ divisor: Double) -> Double {
    let rest = value.truncatingRemainder(dividingBy: divisor)
    return rest < 0 ? rest + divisor : rest
  }

  /// Returns the seconds within the hour of a time such as `00:20:37,80` or `7:30:01.00 AM`.
  private static func seconds(_ text: String) -> Double? {
    // Digits may be of any script, such as Arabic.
    var fields: [(value: Int, digits: Int)] = []
    var isInNumber = false
    for character in text.unicodeScalars {
      guard character.properties.generalCategory == .decimalNumber,
        let digit = character.properties.numericValue
      else {
        isInNumber = false
        continue
      }
      if !isInNumber { fields.append((0, 0)) }
      isInNumber = true
      guard let field = fields.last, field.digits < 9 else { return nil }
      fields[fields.count - 1] = (field.value * 10 + Int(digit), field.digits + 1)
    }
    guard (3...4).contains(fields.count), fields[1].value < 60, fields[2].value <= 60 else {
      return nil
    }
    let seconds = Double(fields[1].value * 60 + fields[2].value)
    guard fields.count == 4 else { return seconds }
    return seconds + Double(fields[3].value) / pow(10, Double(fields[3].digits))
  }
}
