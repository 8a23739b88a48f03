import Foundation
import HealthStore

/// A reader of the attributes that this library adds to Apple's format.
struct StoredItemReader {
  /// The version of the attributes that this library writes and reads.
  static let version = "1"

  /// A cache of the decoded bytes of sources and devices, which many objects share.
  private var shared: [String: [UInt8]] = [:]
  private static let mostShared = 4096

  init() {}

  /// Reads the item of an element; nil if the element is invalid, in which case `fields` has the
  /// problem.
  mutating func item(
    _ fields: inout FieldReader, _ scanner: inout ExportScanner
  ) -> ExportStoredItem? {
    if fields.element == .storedSetting { return setting(&fields, &scanner) }
    guard let text = Self.unique("store:uuid", scanner), let uuid = UUID(uuidString: text) else {
      fields.problem = fields.problem ?? .missingAttribute
      return nil
    }
    let type =
      scanner.value("store:type") == nil
      ? fields.required("type", &scanner) : Self.text("store:type", &fields, &scanner)
    guard let type, let start = Self.date("store:start", "startDate", &fields, &scanner),
      let end = Self.date("store:end", "endDate", &fields, &scanner),
      let value = Self.value(&fields, &scanner)
    else { return nil }
    let childType = Self.text("store:role", &fields, &scanner)
    var row = StoredSample(
      uuid: uuid, type: type, childType: childType, start: start, end: end, value: value)
    row.unit =
      scanner.value("store:unit") == nil
      ? (fields.element == .record ? scanner.string("unit") ?? "" : "")
      : Self.text("store:unit", &fields, &scanner) ?? ""
    row.source = sharedBytes("store:source", &fields, &scanner)
    row.device = sharedBytes("store:device", &fields, &scanner)
    if let text = Self.unique("store:extras", scanner) {
      row.extras = Self.bytes(text, &fields)
    }
    return fields.problem == nil
      ? ExportStoredItem(.row(row), file: scanner.string("store:file")) : nil
  }

  /// Appends a part of the extras that exceeded the size of one attribute.
  func add(
    _ fields: inout FieldReader, _ scanner: borrowing ExportScanner,
    to item: inout ExportStoredItem?
  ) {
    guard case .row(var row) = item?.content, let text = Self.unique("value", scanner) else {
      fields.problem = fields.problem ?? .missingAttribute
      item = nil
      return
    }
    let file = item?.file
    // Drop the second reference, so that appending does not copy the bytes.
    item = nil
    row.extras += Self.bytes(text, &fields)
    if fields.problem == nil { item = ExportStoredItem(.row(row), file: file) }
  }

  private func setting(
    _ fields: inout FieldReader, _ scanner: inout ExportScanner
  ) -> ExportStoredItem? {
    guard let name = Self.text("name", &fields, &scanner),
      let value = Self.unique("value", scanner)
    else {
      fields.problem = fields.problem ?? .missingAttribute
      return nil
    }
    let type = Self.text("type", &fields, &scanner)
    let bytes = Self.bytes(value, &fields)
    return fields.problem == nil
      ? ExportStoredItem(.setting(StoredSetting(type: type, name: name, value: bytes))) : nil
  }

  private static func value(
    _ fields: inout FieldReader, _ scanner: inout ExportScanner
  ) -> Double? {
    let name: StaticString = scanner.value("store:value") == nil ? "value" : "store:value"
    guard let text = unique(name, scanner) else { return 0 }
    if let value = Double(text), value.isFinite { return value }
    fields.problem = fields.problem ?? .invalidNumber
    return nil
  }

  private static func date(
    _ own: StaticString, _ apple: StaticString, _ fields: inout FieldReader,
    _ scanner: inout ExportScanner
  ) -> Double? {
    guard let text = unique(own, scanner) else {
      return fields.date(apple, &scanner)?.timeIntervalSinceReferenceDate
    }
    if let seconds = Double(text), seconds.isFinite { return seconds }
    fields.problem = fields.problem ?? .invalidDate
    return nil
  }

  private mutating func sharedBytes(
    _ name: StaticString, _ fields: inout FieldReader, _ scanner: inout ExportScanner
  ) -> [UInt8] {
    guard let text = scanner.string(name) else { return [] }
    if let known = shared[text] { return known }
    let bytes = Self.bytes(text, &fields)
    if shared.count >= Self.mostShared { shared.removeAll() }
    shared[text] = bytes
    return bytes
  }

  private static func bytes(_ text: String, _ fields: inout FieldReader) -> [UInt8] {
    if let bytes = StoredText.bytes(text) { return bytes }
    fields.problem = fields.problem ?? .invalidBytes
    return []
  }

  private static func text(
    _ name: StaticString, _ fields: inout FieldReader, _ scanner: inout ExportScanner
  ) -> String? {
    guard let text = scanner.string(name) else { return nil }
    if let unescaped = StoredText.unescaped(text) { return unescaped }
    fields.problem = fields.problem ?? .invalidBytes
    return nil
  }

  /// Returns an attribute that is different in each element, without caching it.
  private static func unique(
    _ name: StaticString, _ scanner: borrowing ExportScanner
  ) -> String? {
    scanner.value(name).map { String(decoding: $0, as: UTF8.self) }
  }
}
