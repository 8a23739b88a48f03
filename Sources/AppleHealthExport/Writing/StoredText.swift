import Foundation

/// The encoding of text and bytes in the attributes of this library.
enum StoredText {
  /// The maximum number of bytes of extras in one attribute; separate elements hold the rest.
  static let pieceByteCount = 512 << 10

  /// Returns bytes as Base64 text.
  static func text(_ bytes: some DataProtocol) -> String { Data(bytes).base64EncodedString() }

  /// Decodes Base64 text; nil if it is invalid.
  static func bytes(_ text: String) -> [UInt8]? {
    Data(base64Encoded: text).map { [UInt8]($0) }
  }

  /// Returns a text that is valid in any attribute: percent signs, and all bytes other than
  /// printable ASCII, are percent-encoded.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "%") || $0 >= 0x7F }) else {
      return text
    }
    var result = ""
    for byte in text.utf8 {
      if byte < 0x20 || byte == UInt8(ascii: "%") || byte >= 0x7F {
        let digits = String(byte, radix: 16)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      } else {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return result
  }

  /// Decodes percent-encoded text; nil if it is invalid.
  static func unescaped(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.first != UInt8(ascii: "+"),
        let value = UInt8(Substring(digits), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
