import Foundation
import HealthStore

/// An object of JSON on one line, its members in the order they were added.
struct JSONObject {
  private var body = ""

  init() {}

  var text: String { "{\(body)}" }

  mutating func add(_ key: String, _ value: String) {
    begin(key)
    Self.append(value, to: &body)
  }

  /// Adds a text unless there is none.
  mutating func add(ifAny key: String, _ value: String?) {
    if let value, !value.isEmpty { add(key, value) }
  }

  mutating func add(_ key: String, _ value: Double) { add(key, raw: Self.number(value)) }

  mutating func add(_ key: String, _ value: some BinaryInteger) { add(key, raw: "\(value)") }

  mutating func add(_ key: String, _ value: JSONObject) { add(key, raw: value.text) }

  mutating func add(_ key: String, _ values: [String]) {
    add(key, raw: "[\(values.map(Self.quoted).joined(separator: ","))]")
  }

  mutating func add(_ key: String, _ values: [JSONObject]) {
    add(key, raw: "[\(values.map(\.text).joined(separator: ","))]")
  }

  /// Adds metadata: numbers and truth values as such, dates as ISO 8601, quantities with a unit.
  mutating func add(_ key: String, metadata: [String: Any]) {
    var object = JSONObject()
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      switch value {
      case let value as HKQuantity:
        var quantity = JSONObject()
        quantity.add("value", value.value)
        quantity.add("unit", value.unit.unitString)
        object.add(key, quantity)
      case let value as NSNumber: object.add(key, raw: Self.number(value))
      case let value as String: object.add(key, value)
      case let value as Date: object.add(key, UTCText.text(value.timeIntervalSinceReferenceDate))
      default: object.add(key, "\(value)")
      }
    }
    add(key, object)
  }

  /// Adds members that another object made.
  mutating func add(membersOf other: JSONObject) {
    guard !other.body.isEmpty else { return }
    if !body.isEmpty { body += "," }
    body += other.body
  }

  private mutating func begin(_ key: String) {
    if !body.isEmpty { body += "," }
    Self.append(key, to: &body)
    body += ":"
  }

  private mutating func add(_ key: String, raw: String) {
    begin(key)
    body += raw
  }

  private static let boolClass: AnyClass = type(of: NSNumber(value: true))

  private static func number(_ value: NSNumber) -> String {
    if type(of: value) == boolClass { return value.boolValue ? "true" : "false" }
    return number(value.doubleValue)
  }

  private static func number(_ value: Double) -> String {
    value.isFinite ? Figures.number(value) : "null"
  }

  private static func quoted(_ text: String) -> String {
    var result = ""
    append(text, to: &result)
    return result
  }

  private static func append(_ text: String, to result: inout String) {
    result += "\""
    // Nearly all texts can stay as they are.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
    {
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
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
}
