package import Foundation
package import HealthStore

/// The electrocardiogram in a CSV file of an export: lines of a key and a value, then a voltage a
/// line.
///
/// Keys are in the phone's language, so where the English ones are not there the lines are told by
/// their position behind the date. Numbers have the language's decimal separator. Any bytes give an
/// electrocardiogram or none. The person's name and date of birth are not looked at.
package struct ElectrocardiogramFile {
  /// When the recording began.
  package private(set) var start = Date.distantPast
  /// What the file says it shows; `nil` when nothing.
  package private(set) var classification: HKElectrocardiogram.Classification?
  /// The word for what it shows, if that is not known; nil if it is.
  package private(set) var unknownClassification: String?
  /// Whether the person had symptoms, of which the file has only names.
  package private(set) var symptoms = HKElectrocardiogram.SymptomsStatus.notSet
  /// Voltages a second.
  package private(set) var samplingFrequency = 0.0
  /// The unit of the voltages.
  package private(set) var unit = HKUnit.voltUnit(with: .micro)
  /// The text of the unit, if that is not known; nil if it is.
  package private(set) var unknownUnit: String?
  /// The voltages, one at least.
  package private(set) var voltages: [Double] = []
  /// The number of measurements before each voltage, rising: a line that is no number is one, too.
  package private(set) var positions: [Int] = []
  /// Lines among the voltages that are no number.
  package private(set) var brokenLines = 0
  /// The version of the program that recorded it.
  package private(set) var softwareVersion: String?
  /// The model of the watch.
  package private(set) var device: String?

  /// The lines of the header, in the order that they have in every language.
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

  /// The line of a measurement without a voltage in a file of ours.
  static let gap = "-"

  /// Reads a file, or returns `nil` when it lacks the date, the frequency or voltages.
  package init?(_ bytes: [UInt8]) {
    var header: [Line] = []
    var hasUnit = false
    // The measurements so far, and the lines since the last voltage, with and without empty ones.
    var position = 0
    var (waiting, broken) = (0, 0)
    bytes.withUnsafeBufferPointer { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let end = rest.index(of: UInt8(ascii: "\n")) ?? rest.count
        let text = String(decoding: rest.part(0..<end), as: UTF8.self)
          .trimmingCharacters(in: Self.spaces)
        rest = rest.part(min(end + 1, rest.count)..<rest.count)
        if let voltage = Self.number(text[...]) {
          position += waiting
          brokenLines += waiting
          (waiting, broken) = (0, 0)
          voltages.append(voltage)
          positions.append(position)
          position += 1
        } else if text == Self.gap, hasUnit {
          position += 1
        } else if voltages.isEmpty, let line = Self.line(text), header.count < 64 {
          if ElectrocardiogramWords.unit(line.value) != nil { hasUnit = true }
          header.append(line)
        } else if !voltages.isEmpty || (hasUnit && !text.isEmpty) {
          // An empty line counts if a voltage follows: the end of a file may be empty.
          waiting += 1
          if !text.isEmpty { broken += 1 }
        }
      }
    }
    brokenLines += broken
    read(header)
    guard samplingFrequency > 0, !voltages.isEmpty, start != .distantPast else { return nil }
  }

  private mutating func read(_ header: [Line]) {
    let dates = header.map { ExportDateFormat.instant($0.value) }
    guard let position = dates.firstIndex(where: { $0 != nil }), let date = dates[position] else {
      return
    }
    start = date
    let isEnglish = header.contains { Key(english: $0.key) == .sampleRate }
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
      case .sampleRate: samplingFrequency = Self.leadingNumber(value) ?? 0
      case .unit: unknownUnit = value
      case .recordedDate, .lead, nil: break
      }
    }
    // The symbol is the same in most languages, wherever it stands.
    if let known = header.lazy.compactMap({ ElectrocardiogramWords.unit($0.value) }).last {
      unit = known
      unknownUnit = nil
    }
  }

  /// When the last voltage was measured.
  package var end: Date {
    start.addingTimeInterval(Double(positions.last ?? 0) / samplingFrequency)
  }

  private static let spaces = CharacterSet(charactersIn: " \t\r\u{FEFF}")

  /// The key and the value of a line; nil for a line without a comma.
  private static func line(_ text: String) -> Line? {
    guard let comma = text.firstIndex(of: ",") else { return nil }
    return (text[..<comma], unquoted(text[comma...].dropFirst()))
  }

  /// The number that a text is, in any language's digits and with its separators.
  static func number(_ text: Substring) -> Double? {
    let text = unquoted(text)
    // Most files are English.
    if let first = text.utf8.first, first == UInt8(ascii: "-") || first.isDigit,
      text.utf8.count <= 64, let number = Double(text)
    {
      return number.isFinite ? number : nil
    }
    guard text.utf8.count <= 128 else { return nil }
    var digits = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "-", "\u{2212}": digits += "-"
      case ".", ",", "\u{66B}": digits += scalar == "." ? "." : ","
      // These stand between groups of digits only.
      case " ", "\u{A0}", "\u{202F}", "'", "\u{2019}", "\u{66C}": break
      default:
        guard scalar.properties.generalCategory == .decimalNumber,
          let value = scalar.properties.numericValue
        else { return nil }
        digits += "\(Int(value))"
      }
    }
    guard digits.contains(where: \.isNumber) else { return nil }
    // Of two separators the last one is the decimal's.
    let decimal = digits.last { $0 == "." || $0 == "," }
    let isGrouped = digits.contains(".") && digits.contains(",")
    if isGrouped { digits.removeAll { $0 == (decimal == "." ? "," : ".") } }
    return Double(digits.replacing(",", with: ".")).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The number in front of a unit, with or without a space between them.
  private static func leadingNumber(_ text: String) -> Double? {
    let end = text.unicodeScalars.firstIndex { $0.properties.isAlphabetic } ?? text.endIndex
    return number(Substring(text[..<end].trimmingCharacters(in: .whitespaces)))
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
      return String(text)
    }
    return text.dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "\"")
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
