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
  /// Whether the person had symptoms, of which the file has only names.
  package private(set) var symptoms = HKElectrocardiogram.SymptomsStatus.notSet
  /// Voltages a second.
  package private(set) var samplingFrequency = 0.0
  /// The unit of the voltages.
  package private(set) var unit = HKUnit.voltUnit(with: .micro)
  /// The voltages, one at least.
  package private(set) var voltages: [Double] = []
  /// Lines among the voltages that are no number.
  package private(set) var brokenLines = 0
  /// The version of the program that recorded it.
  package private(set) var softwareVersion: String?
  /// The model of the watch.
  package private(set) var device: String?

  private enum Key: Int {
    case recordedDate, classification, symptoms, softwareVersion, device, sampleRate, unit

    init?(english name: Substring) {
      let names = [
        "Recorded Date", "Classification", "Symptoms", "Software Version", "Device", "Sample Rate",
        "Unit",
      ]
      guard let index = names.firstIndex(where: { $0 == name }) else { return nil }
      self.init(rawValue: index)
    }
  }

  /// Reads a file, or returns `nil` when it lacks the date, the frequency or voltages.
  package init?(_ bytes: [UInt8]) {
    var header: [(key: Substring, value: String)] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: Self.spaces)
      if let voltage = Self.number(text[...]) {
        voltages.append(voltage)
      } else if !voltages.isEmpty {
        brokenLines += 1
      } else if !text.isEmpty, header.count < 64 {
        let comma = text.firstIndex(of: ",") ?? text.endIndex
        header.append((text[..<comma], Self.unquoted(text[comma...].dropFirst())))
      }
    }
    let dates = header.map { ExportDateFormat.instant($0.value) }
    guard let position = dates.firstIndex(where: { $0 != nil }), let date = dates[position] else {
      return nil
    }
    start = date
    let isEnglish = header.contains { Key(english: $0.key) == .sampleRate }
    for (index, line) in header.enumerated() {
      let key = isEnglish ? Key(english: line.key) : Key(rawValue: index - position)
      switch key {
      case .classification: classification = Self.classification(line.value)
      case .symptoms: symptoms = Self.symptoms(line.value)
      case .softwareVersion: softwareVersion = line.value.isEmpty ? nil : line.value
      case .device: device = line.value.isEmpty ? nil : line.value
      case .sampleRate: samplingFrequency = Self.number(line.value.prefix { $0 != " " }) ?? 0
      case .unit, .recordedDate, nil: break
      }
      // The unit is spelt alike in all languages.
      if line.value == "mV" { unit = .voltUnit(with: .milli) }
      if line.value == "V" { unit = .volt() }
    }
    guard samplingFrequency > 0, !voltages.isEmpty else { return nil }
  }

  /// When the last voltage was measured.
  package var end: Date {
    start.addingTimeInterval(Double(voltages.count - 1) / samplingFrequency)
  }

  private static let spaces = CharacterSet(charactersIn: " \t\r\u{FEFF}")

  private static func number(_ text: Substring) -> Double? {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || first.isDigit,
      text.utf8.count <= 64
    else { return nil }
    return Double(text.replacingOccurrences(of: ",", with: ".")).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
      return String(text)
    }
    return text.dropFirst().dropLast().replacingOccurrences(of: "\"\"", with: "\"")
  }

  private static let classifications: [(name: String, value: HKElectrocardiogram.Classification)] =
    [
      ("", .notSet), ("Sinus Rhythm", .sinusRhythm), ("Atrial Fibrillation", .atrialFibrillation),
      ("Low Heart Rate", .inconclusiveLowHeartRate),
      ("High Heart Rate", .inconclusiveHighHeartRate),
      ("Poor Recording", .inconclusivePoorReading), ("Inconclusive", .inconclusiveOther),
    ]

  private static func classification(_ text: String) -> HKElectrocardiogram.Classification {
    classifications.first { $0.name == text }?.value ?? .unrecognized
  }

  /// The name that a file has for a classification.
  static func name(of classification: HKElectrocardiogram.Classification) -> String {
    classifications.first { $0.value == classification }?.name ?? "Unrecognized"
  }

  /// What a file says of symptoms.
  static func name(of status: HKElectrocardiogram.SymptomsStatus) -> String {
    switch status {
    case .none: "None"
    case .present: "Present"
    default: ""
    }
  }

  private static func symptoms(_ text: String) -> HKElectrocardiogram.SymptomsStatus {
    switch text {
    case "": .notSet
    case "None": .none
    default: .present
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
