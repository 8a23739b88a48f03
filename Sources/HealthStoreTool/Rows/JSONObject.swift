/// A JSON object on one line, with its members in insertion order.
struct JSONObject {
  private var body = ""

  init() {}

  var text: String { "{\(body)}" }

  mutating func add(_ key: String, _ value: String) {
    begin(key)
    Self.append(value, to: &body)
  }

  /// Adds a text unless it is nil or empty.
  mutating func add(ifAny key: String, _ value: String?) {
    if let value, !value.isEmpty { add(key, value) }
  }

  mutating func add(_ key: String, _ value: Double) { add(key, raw: Self.number(value)) }

  mutating func add(_ key: String, _ value: some BinaryInteger) { add(key, raw: "\(value)") }

  mutating func add(_ key: String, _ value: JSONObject) { add(key, raw: value.text) }

  mutating func add(_ key: String, _ values: [String]) { add(key, raw: Self.text(values)) }

  mutating func add(_ key: String, _ values: [JSONObject]) {
    add(key, raw: "[\(values.map(\.text).joined(separator: ","))]")
  }

  /// Adds the members of another object.
  mutating func add(membersOf other: JSONObject) {
    guard !other.body.isEmpty else { return }
    if !body.isEmpty { body += "," }
    body += other.body
  }

  /// Returns a JSON array of strings.
  static func text(_ values: [String]) -> String {
    "[\(values.map(quoted).joined(separator: ","))]"
  }

  private mutating func begin(_ key: String) {
    if !body.isEmpty { body += "," }
    Self.append(key, to: &body)
    body += ":"
  }

  /// Adds a value that is already encoded as JSON.
  mutating func add(_ key: String, raw: String) {
    begin(key)
    body += raw
  }

  /// Returns a number, or null if it is NaN or infinite.
  static func number(_ value: Double) -> String {
    value.isFinite ? Figures.number(value) : "null"
  }

  private static func quoted(_ text: String) -> String {
    var result = ""
    append(text, to: &result)
    return result
  }

  private static func append(_ text: String, to result: inout String) {
    result += "\""
    // Nearly all texts need no escapes.
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != quote && $0 != backslash }) {
      result += text
    } else {
      for scalar in text.unicodeScalars { append(scalar, to: &result) }
    }
    result += "\""
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _ where scalar.isUnprintable:
      // Parses as the same text, but can neither affect a terminal nor end a line.
      for unit in UTF16.encode(scalar) ?? Unicode.UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    default: result.unicodeScalars.append(scalar)
    }
  }
}
