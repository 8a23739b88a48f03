import Foundation
import SampleLog

// How payloads and the like spell what the engine's writer and reader do not know.

extension ByteWriter {
  /// A length and UTF-8.
  mutating func text(_ text: String) { string(Array(text.utf8)) }

  /// A byte 0 for nothing, or 1 and the text.
  mutating func optional(_ text: String?) { optional(text) { $0.text($1) } }

  /// A byte 0 for nothing, or 1 and what a function writes.
  mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
    byte(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  /// A count and what a function writes of each.
  mutating func list<Values: Collection>(
    _ values: Values, _ write: (inout ByteWriter, Values.Element) -> Void
  ) {
    varint(UInt64(values.count))
    for value in values { write(&self, value) }
  }

  /// A zigzag LEB128 number.
  mutating func signed(_ value: Int) {
    let bits = Int64(value)
    varint(UInt64(bitPattern: (bits << 1) ^ (bits >> 63)))
  }

  /// The bits of the seconds since 2001.
  mutating func date(_ date: Date) { fixed(date.timeIntervalSinceReferenceDate) }

  /// The value's bits and its unit's string.
  mutating func quantity(_ quantity: HKQuantity) {
    fixed(quantity.value)
    text(quantity.unit.unitString)
  }

  /// A length and the binary form of metadata that was checked, no bytes for none.
  mutating func metadata(_ metadata: [String: Any]?) {
    guard let metadata else { return string([]) }
    do {
      string(try MetadataCoding.encode(metadata))
    } catch {
      fatalError("Metadata was not checked: \(error)")
    }
  }

  /// The sixteen bytes of an identifier, in two little-endian halves.
  mutating func fixed(_ id: Identifier) {
    fixed(id.high)
    fixed(id.low)
  }
}

// Each returns `nil` when the bytes make no sense.
extension ByteReader {
  mutating func text() -> String? {
    string().flatMap { String(validating: $0, as: UTF8.self) }
  }

  mutating func optionalText() -> String?? { optional { $0.text() } }

  /// A value or its absence.
  mutating func optional<Value>(_ read: (inout ByteReader) -> Value?) -> Value?? {
    switch byte() {
    case 0: return .some(nil)
    case 1: return read(&self).map { .some($0) }
    default: return nil
    }
  }

  /// Values of a byte at least, which bounds what a wrong count can cost.
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

  /// A number that is finite.
  mutating func finite() -> Double? { double().flatMap { $0.isFinite ? $0 : nil } }

  /// A date that is finite.
  mutating func date() -> Date? { finite().map(Date.init(timeIntervalSinceReferenceDate:)) }

  /// A finite quantity in a unit there is.
  mutating func quantity() -> HKQuantity? {
    guard let value = finite(), let unit = text().flatMap(HKUnit.named) else { return nil }
    return HKQuantity(unit: unit, doubleValue: value)
  }

  /// Metadata or its absence.
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
