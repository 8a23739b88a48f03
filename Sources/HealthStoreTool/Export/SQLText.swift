import Foundation
import HealthStore

/// Formats values as SQL literals with the same meaning in SQLite and PostgreSQL.
enum SQLText {
  /// Returns a string literal; U+0000, which PostgreSQL cannot store, becomes U+FFFD.
  ///
  /// CR LF is split between two literals, because `sqlite3` drops a carriage return at the end of
  /// an input line.
  static func text(_ text: String) -> String {
    let literal = text.replacing { $0 == "\0" ? "\u{FFFD}" : $0 == "'" ? "''" : nil }
    return "'"
      + literal.replacingOccurrences(of: "\r\n", with: "\r' || '\n", options: .literal) + "'"
  }

  /// Returns a string literal, or NULL for an empty text.
  static func optional(_ text: String) -> String { text.isEmpty ? "NULL" : self.text(text) }

  /// Returns a number, or NULL if it is nil or not finite.
  static func number(_ value: Double?) -> String {
    value.flatMap { $0.isFinite ? Figures.number($0) : nil } ?? "NULL"
  }

  /// Returns a quantity in the unit of its column, or NULL if it is nil or incompatible.
  static func number(_ quantity: HKQuantity?, _ unit: HKUnit) -> String {
    number(quantity?.number(in: unit))
  }

  /// Returns a date in UTC with six fractional digits, so that its text sorts chronologically.
  static func date(_ secondsSince2001: Double) -> String {
    // Only the years 1 to 9999 sort chronologically as text.
    guard secondsSince2001 >= -63_113_904_000 else { return "'-infinity'" }
    guard secondsSince2001 < 252_423_993_600 else { return "'infinity'" }
    var whole = secondsSince2001.rounded(.down)
    var micros = Int(((secondsSince2001 - whole) * 1e6).rounded())
    if micros == 1_000_000 { (whole, micros) = (whole + 1, 0) }
    let digits = "\(micros)"
    let fraction = String(repeating: "0", count: 6 - digits.count) + digits
    return "'" + UTCText.text(whole).dropLast() + ".\(fraction)Z'"
  }

  /// Returns the columns of a point after its number; `start` is that of the sample.
  ///
  /// Voltages are converted to volts; quantities are in the sample's unit.
  static func point(
    _ point: Int, of chunk: PointChunk, _ start: Double, _ unit: HKUnit?
  ) -> String {
    func date(_ column: Int, after start: Double = 0) -> String {
      self.date(start + chunk[column, point])
    }
    func number(_ column: Int) -> String {
      self.number(chunk[column, point])
    }
    let nowhere = String(repeating: ",NULL", count: 7)
    switch chunk.layout {
    case .quantities:
      return "\(date(0)),\(date(1)),\(number(2))\(nowhere),\(optional(unit?.unitString ?? ""))"
    case .heartbeats:
      let moment = date(0, after: start)
      return "\(moment),\(moment),\(number(1))\(nowhere),NULL"
    case .voltages:
      let moment = date(0, after: start)
      let stored = unit.map { HKQuantity(unit: $0, doubleValue: chunk[1, point]) }
      let voltage = self.number(stored, .volt())
      return "\(moment),\(moment),\(voltage)\(nowhere),'V'"
    case .locations:
      let columns = [1, 2, 3, 4, 5, 6, 8].map(number).joined(separator: ",")
      return "\(date(0)),\(date(0)),NULL,\(columns),NULL"
    }
  }
}
