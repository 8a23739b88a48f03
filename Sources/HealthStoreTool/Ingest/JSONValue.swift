/// A JSON value with exact numbers; Foundation's parser loses their last digit.
enum JSONValue: Equatable {
  case null
  case truth(Bool)
  /// A number without fraction and exponent that fits into 64 bits.
  case integer(Int64)
  case number(Double)
  case text(String)
  /// A CSV cell, which has no JSON type.
  case cell(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Parses a JSON text.
  ///
  /// - Throws: ``IngestProblem`` with the position in bytes if the text is not valid JSON.
  init(_ bytes: [UInt8]) throws(IngestProblem) {
    var parser = JSONParser(bytes)
    self = try parser.document()
  }
}

private struct JSONParser {
  private let bytes: [UInt8]
  private var index = 0

  /// The maximum nesting depth, which bounds the parser's recursion.
  private static let deepest = 64

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(IngestProblem) -> JSONValue {
    let value = try value(depth: 0)
    skipSpaces()
    guard index == bytes.count else { throw problem() }
    return value
  }

  private func problem() -> IngestProblem {
    IngestProblem("The JSON cannot be read at byte \(index + 1)")
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpaces() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
    }
  }

  /// Consumes a required character.
  private mutating func take(_ character: Unicode.Scalar) throws(IngestProblem) {
    guard next == UInt8(ascii: character) else { throw problem() }
    index += 1
  }

  /// Skips white space and consumes the character if it is next.
  private mutating func has(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONValue
  ) throws(IngestProblem) -> JSONValue {
    let isThere = word.withUTF8Buffer { bytes[index...].starts(with: $0) }
    guard isThere else { throw problem() }
    index += word.utf8CodeUnitCount
    return value
  }

  private mutating func value(depth: Int) throws(IngestProblem) -> JSONValue {
    skipSpaces()
    guard depth < Self.deepest else { throw problem() }
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .truth(true))
    case UInt8(ascii: "f"): return try word("false", .truth(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(_ depth: Int) throws(IngestProblem) -> JSONValue {
    index += 1
    var members: [String: JSONValue] = [:]
    if has("}") { return .object(members) }
    repeat {
      skipSpaces()
      let start = index
      let name = try text()
      guard has(":") else { throw problem() }
      guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
        index = start
        throw problem()
      }
    } while has(",")
    try take("}")
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(IngestProblem) -> JSONValue {
    index += 1
    var elements: [JSONValue] = []
    if has("]") { return .array(elements) }
    repeat { elements.append(try value(depth: depth + 1)) } while has(",")
    try take("]")
    return .array(elements)
  }

  private mutating func number() throws(IngestProblem) -> JSONValue {
    let start = index
    var isWhole = true
    if next == UInt8(ascii: "-") { index += 1 }
    let first = next
    let digits = skipDigits()
    guard digits > 0, digits == 1 || first != UInt8(ascii: "0") else { throw problem() }
    if next == UInt8(ascii: ".") {
      index += 1
      isWhole = false
      guard skipDigits() > 0 else { throw problem() }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      isWhole = false
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      guard skipDigits() > 0 else { throw problem() }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text) else { throw problem() }
    return .number(value)
  }

  private mutating func skipDigits() -> Int {
    let start = index
    while let byte = next, byte >= 0x30, byte < 0x3A { index += 1 }
    return index - start
  }

  private mutating func text() throws(IngestProblem) -> String {
    try take("\"")
    let start = index
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      index += 1
    }
    // Most strings contain no escapes and need no further copying.
    var characters = bytes[start..<index]
    while next != UInt8(ascii: "\"") {
      guard let byte = next, byte >= 0x20 else { throw problem() }
      index += 1
      if byte == UInt8(ascii: "\\") {
        characters += Array(String(try escaped()).utf8)
      } else {
        characters.append(byte)
      }
    }
    guard let text = String(validating: characters, as: UTF8.self) else { throw problem() }
    index += 1
    return text
  }

  /// Parses the escape sequence after a backslash.
  private mutating func escaped() throws(IngestProblem) -> Unicode.Scalar {
    guard let byte = next else { throw problem() }
    index += 1
    switch Unicode.Scalar(byte) {
    case "\"", "\\", "/": return Unicode.Scalar(byte)
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": break
    default: throw problem()
    }
    let unit = try hexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // Characters beyond U+FFFF are written as surrogate pairs.
    guard unit < 0xDC00 else { throw problem() }
    try take("\\")
    try take("u")
    let low = try hexadecimal()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw problem() }
    return scalar
  }

  private mutating func hexadecimal() throws(IngestProblem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw problem()
      }
      value = value << 4 + UInt32(digit)
      index += 1
    }
    return value
  }
}
