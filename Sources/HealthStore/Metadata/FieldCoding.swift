import Foundation
import SampleLog

// Encodings of fields that the engine's reader and writer do not provide.

extension ByteWriter {
  /// Writes the text's length in bytes and its UTF-8.
  mutating func text(_ text: String) { string(Array(text.utf8)) }

  /// Writes a byte 0 for nil, or a byte 1 and the text.
  mutating func optional(_ text: String?) { optional(text) { $0.text($1) } }

  /// Writes a byte 0 for nil, or a byte 1 and the value.
  mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
    byte(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  /// Writes the number of values, then each value.
  mutating func list<Values: Collection>(
    _ values: Values, _ write: (inout ByteWriter, Values.Element) -> Void
  ) {
    varint(UInt64(values.count))
    for value in values { write(&self, value) }
  }

  /// Writes an integer as zigzag LEB128.
  mutating func signed(_ value: Int) {
    let bits = Int64(value)
    varint(UInt64(bitPattern: (bits << 1) ^ (bits >> 63)))
  }

  /// Writes the bit pattern of the seconds since 2001-01-01 00:00 UTC.
  mutating func date(_ date: Date) { fixed(date.timeIntervalSinceReferenceDate) }

  /// Writes the bit pattern of the value and the string of its unit.
  mutating func quantity(_ quantity: HKQuantity) {
    fixed(quantity.value)
    text(quantity.unit.unitString)
  }

  /// Writes the length and binary form of validated metadata; a length of 0 means none.
  mutating func metadata(_ metadata: [String: Any]?) {
    guard let metadata else { return string([]) }
    do {
      string(try MetadataCoding.encode(metadata))
    } catch {
      fatalError("Metadata was not checked: \(error)")
    }
  }

  /// Writes the sixteen bytes of an identifier as two little-endian halves.
  mutating func fixed(_ id: Identifier) {
    fixed(id.high)
    fixed(id.low)
  }
}

// Each method returns `nil` if the bytes are malformed.
extension ByteReader {
  mutating func text() -> String? {
    string().flatMap { String(validating: $0, as: UTF8.self) }
  }

  mutating func optionalText() -> String?? { optional { $0.text() } }

  /// Reads an optional value.
  ///
  /// The outer optional is nil if the bytes are malformed.
  mutating func optional<Value>(_ read: (inout ByteReader) -> Value?) -> Value?? {
    switch byte() {
    case 0: return .some(nil)
    case 1: return read(&self).map { .some($0) }
    default: return nil
    }
  }

  /// Reads a list whose elements take at least one byte each, which bounds the cost of a corrupt
  /// count.
  mutating func list<Value>(_ read: (inout ByteReader) -> Value?) -> [Value]? {
    guard let count = varint(), count <= UInt64(remaining) else { return nil }
    var values: [Value] = []
    for _ in 0..<count {
      guard let value = read(&self) else { return nil }
      values.append(value)
    }
    return values
  }

  mutating func signed() -> Int? {
    varint().map { Int(Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1)) }
  }

  /// Reads a finite number.
  mutating func finite() -> Double? { double().flatMap { $0.isFinite ? $0 : nil } }

  /// Reads a finite date.
  mutating func date() -> Date? { finite().map(Date.init(timeIntervalSinceReferenceDate:)) }

  /// Reads a finite quantity in a known unit.
  mutating func quantity() -> HKQuantity? {
    guard let value = finite(), let unit = text().flatMap(HKUnit.named) else { return nil }
    return HKQuantity(unit: unit, doubleValue: value)
  }

  /// Reads optional metadata.
  ///
  /// The outer optional is nil if the bytes are malformed.
  mutating func metadata() -> [String: Any]?? {
    guard let bytes = string() else { return nil }
    if bytes.isEmpty { return .some(nil) }
    do {
      return .some(try MetadataCoding.decode(bytes))
    } catch {
      return nil
    }
  }

  mutating func identifier() -> Identifier? {
    guard let high = fixed64(), let low = fixed64() else { return nil }
    return Identifier(high: high, low: low)
  }
}
