package import Foundation
package import HealthStore

/// An electrocardiogram in a CSV file of an export: header lines with a key and a value, then one
/// voltage per line.
///
/// Keys are in the phone's language. If the English keys are missing, header lines are identified
/// by their position after the date. The decimal separator is determined for the whole file; see
/// ``DecimalSeparator``. The parser accepts any bytes, and ignores the subject's name and date of
/// birth.
package struct ElectrocardiogramFile {
  package private(set) var start = Date.distantPast
  /// The classification of the recording, or nil if the file has none.
  package private(set) var classification: HKElectrocardiogram.Classification?
  /// The text of an unknown classification, or nil if the classification is known.
  package private(set) var unknownClassification: String?
  /// The status of symptoms, of which the file contains only names.
  package private(set) var symptoms = HKElectrocardiogram.SymptomsStatus.notSet
  /// The sampling frequency in hertz.
  package private(set) var samplingFrequency = 0.0
  package private(set) var unit = HKUnit.voltUnit(with: .micro)
  /// The text of an unknown unit, or nil if the unit is known.
  package private(set) var unknownUnit: String?
  /// The voltages; never empty.
  package private(set) var voltages: [Double] = []
  /// The number of measurements before each voltage, increasing; a line that is not a number counts
  /// as one.
  package private(set) var positions: [Int] = []
  /// The number of lines among the voltages that are not numbers.
  package private(set) var brokenLines = 0
  /// The version of the recording software.
  package private(set) var softwareVersion: String?
  /// The model of the watch.
  package private(set) var device: String?

  /// The keys of the header lines, in their order in every language.
  private enum Key: Int, CaseIterable {
    case recordedDate, classification, symptoms, softwareVersion, device, sampleRate, lead, unit

    var english: String {
      switch self {
      case .recordedDate: "Recorded Date"
      case .classification: "Classification"
      case .symptoms: "Symptoms"
      case .softwareVersion: "Software Version"
      case .device: "Device"
      case .sampleRate: "Sample Rate"
      case .lead: "Lead"
      case .unit: "Unit"
      }
    }

    init?(english name: Substring) {
      guard let key = Self.allCases.first(where: { $0.english == name }) else { return nil }
      self = key
    }
  }

  private typealias Line = (key: Substring, value: String)

  /// The line for a measurement without a voltage, in files written by this library.
  static let gap = "-"

  /// Parses a file; nil if it has no date, no sampling frequency or no voltages.
  package init?(_ bytes: [UInt8]) {
    var header: [Line] = []
    var hasUnit = false
    let decimal = Self.decimal(of: bytes)
    // The measurements so far, and the lines since the last voltage: all, and those not empty.
    var position = 0
    var (waiting, broken) = (0, 0)
    var hasDate = false
    Self.forEachLine(of: bytes) { text in
      if let voltage = Self.number(text[...], decimal) {
        position += waiting
        brokenLines += waiting
        (waiting, broken) = (0, 0)
        voltages.append(voltage)
        positions.append(position)
        position += 1
      } else if text == Self.gap, hasUnit {
        position += 1
      } else if voltages.isEmpty, let line = Self.line(text), header.count < 64 {
        // A name or a date of birth precedes the date, and may look like a unit.
        if hasDate, ElectrocardiogramWords.unit(line.value) != nil { hasUnit = true }
        hasDate = hasDate || Self.date(line) != nil
        header.append(line)
      } else if !voltages.isEmpty || (hasUnit && !text.isEmpty) {
        // An empty line counts only if a voltage follows, because a file may end with some.
        waiting += 1
        if !text.isEmpty { broken += 1 }
      }
    }
    brokenLines += broken
    read(header)
    guard samplingFrequency > 0, !voltages.isEmpty, start != .distantPast else { return nil }
  }

  private static func forEachLine(of bytes: [UInt8], _ body: (String) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let end = rest.index(of: UInt8(ascii: "\n")) ?? rest.count
        body(
          String(decoding: rest.part(0..<end), as: UTF8.self).trimmingCharacters(in: spaces))
        rest = rest.part(min(end + 1, rest.count)..<rest.count)
      }
    }
  }

  /// Returns the decimal separator of a file, according to its voltages and its frequency.
  private static func decimal(of bytes: [UInt8]) -> Character {
    var separator = DecimalSeparator()
    forEachLine(of: bytes) { text in
      if let number = DecimalSeparator.Number(unquoted(text[...])[...]) {
        separator.add(number)
      } else if let line = line(text), let number = leadingNumber(line.value)?.number,
        // A number without a unit is a software version.
        line.value.unicodeScalars.contains(where: { $0.properties.isAlphabetic })
      {
        separator.add(number)
      }
    }
    return separator.decimal
  }

  private static func date(_ line: Line) -> Date? {
    ExportDateFormat.instant(line.value.withASCIIDigits)
  }

  private mutating func read(_ header: [Line]) {
    let isEnglish = header.contains { Key(english: $0.key) == .sampleRate }
    let dates = header.map { line in
      isEnglish && Key(english: line.key) != .recordedDate ? nil : Self.date(line)
    }
    guard let position = dates.firstIndex(where: { $0 != nil }), let date = dates[position] else {
      return
    }
    start = date
    for (index, line) in header.enumerated() {
      let value = line.value
      switch isEnglish ? Key(english: line.key) : Key(rawValue: index - position) {
      case .classification:
        classification = ElectrocardiogramWords.classification(value)
        if classification == nil {
          classification = .unrecognized
          unknownClassification = value
        }
      case .symptoms: symptoms = ElectrocardiogramWords.symptoms(value)
      case .softwareVersion: softwareVersion = value.isEmpty ? nil : value
      case .device: device = value.isEmpty ? nil : value
      case .sampleRate: samplingFrequency = Self.frequency(value) ?? 0
      case .unit: unknownUnit = value
      case .recordedDate, .lead, nil: break
      }
    }
    // The unit's symbol is the same in most languages, and follows the sample rate at a varying
    // distance. Names of subjects and devices, which may look like a unit, precede the sample rate.
    let rate = position + Key.sampleRate.rawValue
    let units = header.enumerated().filter { index, line in
      isEnglish ? Key(english: line.key) == .unit : index > rate
    }
    if let known = units.lazy.compactMap({ ElectrocardiogramWords.unit($0.element.value) }).last {
      unit = known
      unknownUnit = nil
    }
  }

  /// The time of the last voltage.
  package var end: Date {
    start.addingTimeInterval(Double(positions.last ?? 0) / samplingFrequency)
  }

  private static let spaces = CharacterSet(charactersIn: " \t\r\u{FEFF}")

  /// Returns the key and the value of a line, or nil if it has no comma.
  private static func line(_ text: String) -> Line? {
    guard let comma = text.firstIndex(of: ",") else { return nil }
    return (text[..<comma], unquoted(text[comma...].dropFirst()))
  }

  /// Parses a number with the given decimal separator.
  private static func number(_ text: Substring, _ decimal: Character) -> Double? {
    let text = unquoted(text)
    return DecimalSeparator.Number(text[...])?.value(decimal)
  }

  /// Parses a number and a unit of frequency, with or without a space between them, and returns
  /// hertz.
  private static func frequency(_ text: String) -> Double? {
    guard let (number, unit) = leadingNumber(text), let value = number.value else { return nil }
    return value * ElectrocardiogramWords.frequencyFactor(unit)
  }

  /// Splits a text into a number and the unit after it, with or without a space between them.
  private static func leadingNumber(
    _ text: String
  ) -> (number: DecimalSeparator.Number, unit: String)? {
    let scalars = text.unicodeScalars
    var end = scalars.startIndex
    while end < scalars.endIndex {
      guard scalars[end].properties.isAlphabetic else {
        end = scalars.index(after: end)
        continue
      }
      // Between two digits, an E starts an exponent.
      var next = scalars.index(after: end)
      if next < scalars.endIndex, "+-".unicodeScalars.contains(scalars[next]) {
        next = scalars.index(after: next)
      }
      guard "eE".unicodeScalars.contains(scalars[end]), end > scalars.startIndex,
        isDigit(scalars[scalars.index(before: end)]), next < scalars.endIndex,
        isDigit(scalars[next])
      else { break }
      end = next
    }
    return DecimalSeparator.Number(text[..<end].trimmingCharacters(in: .whitespaces)[...])
      .map { ($0, String(text[end...])) }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar)
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
      return String(text)
    }
    return text.dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "\"")
  }
}
