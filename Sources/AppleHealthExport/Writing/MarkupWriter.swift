import Foundation

/// A buffer of XML markup.
///
/// Characters that XML cannot represent in an attribute (control characters, U+FFFE and U+FFFF) are
/// replaced by U+FFFD and counted. Line ends and tabs are written as character references, because
/// XML readers normalise them to spaces.
struct MarkupWriter {
  private(set) var bytes: [UInt8] = []
  /// The number of replaced characters.
  private(set) var replaced = 0

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends text that needs no escaping.
  mutating func raw(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes that need no escaping.
  mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

  /// Appends an attribute, or nothing if the value is nil.
  mutating func attribute(_ name: StaticString, _ value: String?) {
    guard var value else { return }
    begin(name)
    value.withUTF8 { escape($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends an attribute whose name is not a constant.
  mutating func attribute(named name: String, _ value: String?) {
    guard var value else { return }
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: [UInt8(ascii: "="), UInt8(ascii: "\"")])
    value.withUTF8 { escape($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a number, in the shortest form that parses to the same value.
  mutating func attribute(_ name: StaticString, number: Double?) {
    guard let number else { return }
    begin(name)
    bytes.append(contentsOf: Self.text(number).utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends an instant.
  mutating func attribute(_ name: StaticString, date: DateText) {
    begin(name)
    bytes.append(contentsOf: date.bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns the shortest text that parses to the same number; whole numbers have no fraction.
  static func text(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private mutating func begin(_ name: StaticString) {
    bytes.append(UInt8(ascii: " "))
    raw(name)
    bytes.append(UInt8(ascii: "="))
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "&"): raw("&amp;")
      case UInt8(ascii: "<"): raw("&lt;")
      case UInt8(ascii: ">"): raw("&gt;")
      case UInt8(ascii: "\""): raw("&quot;")
      case 9: raw("&#9;")
      case 10: raw("&#10;")
      case 13: raw("&#13;")
      case 0..<0x20: replace()
      case 0xBE, 0xBF:
        // U+FFFE or U+FFFF, the first two bytes of which are already appended.
        if index >= 2, text[index - 1] == 0xBF, text[index - 2] == 0xEF {
          bytes.removeLast(2)
          replace()
        } else {
          bytes.append(byte)
        }
      default: bytes.append(byte)
      }
    }
  }

  private mutating func replace() {
    replaced += 1
    bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
  }
}
