import Foundation

/// Markup as bytes.
///
/// What XML cannot carry in an attribute, control characters and the last two code points of the
/// basic plane, becomes U+FFFD and is counted; line ends and tabs become references, because a
/// reader would take them for spaces.
struct MarkupWriter {
  private(set) var bytes: [UInt8] = []
  /// Characters that were replaced.
  private(set) var replaced = 0

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends text that needs no escaping.
  mutating func raw(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes that need no escaping.
  mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

  /// Appends an attribute; none for nil.
  mutating func attribute(_ name: StaticString, _ value: String?) {
    guard var value else { return }
    begin(name)
    value.withUTF8 { escape($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends an attribute whose name is made up.
  mutating func attribute(named name: String, _ value: String?) {
    guard var value else { return }
    bytes.append(UInt8(ascii: " "))
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: [UInt8(ascii: "="), UInt8(ascii: "\"")])
    value.withUTF8 { escape($0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends an attribute that is a number, the shortest that reads as the same.
  mutating func attribute(_ name: StaticString, number: Double?) {
    guard let number else { return }
    begin(name)
    bytes.append(contentsOf: Self.text(number).utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends an attribute that is an instant.
  mutating func attribute(_ name: StaticString, date: DateText) {
    begin(name)
    bytes.append(contentsOf: date.bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// The shortest text that reads as the number, whole numbers without a fraction.
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
        // U+FFFE and U+FFFF, of which the first two bytes are there already.
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
