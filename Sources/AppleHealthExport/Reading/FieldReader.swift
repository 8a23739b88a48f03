import Foundation

/// A reader of the attributes of one element, which keeps the first problem.
///
/// An element without a valid required attribute is skipped. If an optional attribute is invalid,
/// the rest of the element is kept.
struct FieldReader {
  let element: ExportElement
  var problem: ExportProblem.Reason?

  init(element: ExportElement) {
    self.element = element
  }

  /// Adds the problem, if there is one, to the summary with the element's offset.
  func note(in summary: inout ExportSummary, _ scanner: borrowing ExportScanner) {
    guard let problem else { return }
    summary.note(problem, in: element.name.description, at: scanner.tagOffset)
  }

  mutating func required(_ name: StaticString, _ scanner: inout ExportScanner) -> String? {
    if let text = scanner.string(name) { return text }
    problem = problem ?? .missingAttribute
    return nil
  }

  mutating func date(_ name: StaticString, _ scanner: inout ExportScanner) -> Date? {
    guard let raw = scanner.value(name) else {
      problem = problem ?? .missingAttribute
      return nil
    }
    if let date = ExportDateFormat.instant(raw) { return date }
    problem = problem ?? .invalidDate
    return nil
  }

  mutating func number(_ name: StaticString, _ scanner: inout ExportScanner) -> Double? {
    guard let text = required(name, &scanner) else { return nil }
    if let value = NumberText.finite(text) { return value }
    problem = problem ?? .invalidNumber
    return nil
  }

  mutating func optionalDate(_ name: StaticString, _ scanner: inout ExportScanner) -> Date? {
    scanner.value(name).map(\.isEmpty) ?? true ? nil : date(name, &scanner)
  }

  /// Returns the number of an attribute, or nil if the attribute is missing, empty or invalid.
  mutating func optionalNumber(_ name: StaticString, _ scanner: inout ExportScanner) -> Double? {
    scanner.value(name).map(\.isEmpty) ?? true ? nil : number(name, &scanner)
  }

  mutating func optionalIdentifier(_ name: StaticString, _ scanner: inout ExportScanner) -> UUID? {
    guard let text = scanner.string(name), !text.isEmpty else { return nil }
    if let identifier = UUID(uuidString: text) { return identifier }
    problem = problem ?? .invalidIdentifier
    return nil
  }

  mutating func quantity(
    _ name: StaticString, _ unit: StaticString, _ scanner: inout ExportScanner
  ) -> ExportQuantity? {
    guard let value = optionalNumber(name, &scanner) else { return nil }
    return ExportQuantity(value: value, unit: scanner.string(unit))
  }

  func all(_ scanner: inout ExportScanner) -> [ExportEntry] {
    scanner.allAttributes().map { ExportEntry(key: $0.name, value: $0.value) }
  }

  mutating func origin(_ scanner: inout ExportScanner) -> ExportOrigin? {
    // iOS 8 and 9 call it `source`.
    let name = scanner.string("sourceName") ?? required("source", &scanner)
    guard let name else { return nil }
    return ExportOrigin(
      sourceName: name, sourceVersion: scanner.string("sourceVersion"),
      device: scanner.device(),
      // Rows do not store it, so an invalid date loses nothing.
      creationDate: scanner.value("creationDate").flatMap { ExportDateFormat.instant($0) })
  }

  mutating func record(_ scanner: inout ExportScanner) -> ExportRecord? {
    guard let type = required("type", &scanner), let origin = origin(&scanner),
      let start = date("startDate", &scanner), let end = date("endDate", &scanner)
    else { return nil }
    return ExportRecord(
      type: type, unit: scanner.string("unit"), value: scanner.string("value"),
      origin: origin, startDate: start, endDate: end, metadata: scanner.attributeMetadata())
  }

  mutating func entry(_ scanner: inout ExportScanner) -> ExportEntry? {
    guard let key = required("key", &scanner), let value = required("value", &scanner) else {
      return nil
    }
    return ExportEntry(key: key, value: value)
  }

  mutating func beat(_ scanner: inout ExportScanner) -> ExportBeat? {
    guard let bpm = number("bpm", &scanner), let time = required("time", &scanner) else {
      return nil
    }
    return ExportBeat(bpm: bpm, time: time)
  }
}

extension ExportScanner {
  /// Returns the `device` attribute without its memory address.
  ///
  /// The address is removed before the cache lookup, so that each device has a single entry.
  mutating func device() -> String? {
    guard var raw = value("device") else { return nil }
    if raw.starts(with: "&lt;&lt;HKDevice: "), let end = raw.index(of: UInt8(ascii: ",")),
      end + 2 <= raw.count, raw.part(0..<end).ends(with: "&gt;"), raw[end + 1] == 0x20
    {
      raw = raw.part((end + 2)..<raw.count)
    }
    if let known = devices.find(raw) { return known }
    let before = defects
    let text = DeviceDescription.canonicalText(decode(raw))
    if before == defects { devices.insert(raw, text) }
    return text
  }

  /// Returns the attributes of a record that are not its fields: iOS 8 and 9 wrote metadata as
  /// attributes.
  mutating func attributeMetadata() -> [ExportEntry] {
    guard attributeCount > 0 else { return [] }
    var entries: [ExportEntry] = []
    for index in 0..<attributeCount where !Self.isRecordAttribute(name(index)) {
      if isDuplicate(index) { continue }
      entries.append(ExportEntry(key: decode(name(index)), value: decode(value(index))))
    }
    return entries
  }

  private static func isRecordAttribute(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch name.count {
    case 4: name.equals("type") || name.equals("unit")
    case 5: name.equals("value")
    case 6: name.equals("device") || name.equals("source")
    case 7: name.equals("endDate")
    case 9: name.equals("startDate")
    case 10: name.equals("sourceName")
    case 12: name.equals("creationDate")
    case 13: name.equals("sourceVersion")
    default: false
    }
  }
}
