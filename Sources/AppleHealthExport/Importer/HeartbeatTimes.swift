package import Foundation

/// The heartbeats behind the momentary rates of a heart rate variability, as seconds since its
/// start.
///
/// A rate is 60 s over the interval that ends with the heartbeat. Where that interval does not
/// begin at the heartbeat before, some were missed, and the one that it begins at is the first
/// after the gap; so is the one at the beginning.
///
/// Times are those of a day, in any language and without a date. All zones are whole quarters of
/// an hour apart, so what counts is the time within one: the first heartbeat is the nearest to the
/// start of the sample, every other the next after that before it.
package struct HeartbeatTimes {
  /// Seconds since the start, never falling.
  package private(set) var times: [Double] = []
  /// 1 for a heartbeat before which others may be missing, or else 0.
  package private(set) var gaps: [Double] = []
  /// What is to be added to the sample's start: seconds, 0 or less.
  package private(set) var shift = 0.0

  private static let quarter = 900.0
  /// How far an interval may be off.
  ///
  /// Times are written in hundredths and rates as whole numbers: 33 ms at 30 beats a minute. A
  /// missed heartbeat makes a difference of 250 ms at the least.
  private static let tolerance = 0.2
  /// How far from the sample a heartbeat may be.
  private static let margin = 10.0

  /// Reads heartbeats, or returns `nil` when one of them has no time, no rate above zero, or lies
  /// outside a sample of those dates.
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

  /// The seconds within the hour of a time such as `00:20:37,80` or `7:30:01.00 AM`.
  private static func seconds(_ text: String) -> Double? {
    // In any script: the digits of a time in Arabic are others.
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
