import Foundation
import HealthKit

/// The encoding of metadata: a version, the number of entries, and the entries in the order of
/// their keys.
enum MetadataForm {
  private static let version: UInt8 = 1

  private enum Tag {
    static let string: UInt8 = 1
    static let no: UInt8 = 2
    static let yes: UInt8 = 3
    static let integer: UInt8 = 4
    static let unsigned: UInt8 = 5
    static let double: UInt8 = 6
    static let date: UInt8 = 7
    static let quantity: UInt8 = 8
  }

  /// Returns the encoded metadata; empty if there is none.
  ///
  /// Omits values of classes that HealthKit does not allow, and quantities for which ``WireUnit``
  /// has no unit.
  static func bytes(_ metadata: [String: Any]?) -> [UInt8] {
    guard let metadata else { return [] }
    let entries = metadata.compactMap { key, value -> (key: String, value: [UInt8])? in
      bytes(value).map { (key, $0) }
    }.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    var writer = WireWriter()
    writer.byte(version)
    writer.list(entries) { writer, entry in
      writer.text(entry.key)
      writer.append(entry.value)
    }
    return writer.bytes
  }

  private static func bytes(_ value: Any) -> [UInt8]? {
    var writer = WireWriter()
    switch value {
    case let value as HKQuantity:
      guard let unit = WireUnit.unit(of: value) else { return nil }
      writer.byte(Tag.quantity)
      writer.quantity(value, in: unit)
    case let value as NSNumber: write(value, &writer)
    case let value as String:
      writer.byte(Tag.string)
      writer.text(value)
    case let value as Date:
      writer.byte(Tag.date)
      writer.date(value)
    default: return nil
    }
    return writer.bytes
  }

  private static let boolClass: AnyClass = type(of: NSNumber(value: true))

  private static func write(_ number: NSNumber, _ writer: inout WireWriter) {
    if type(of: number) == boolClass {
      writer.byte(number.boolValue ? Tag.yes : Tag.no)
      return
    }
    // Objective-C type codes: f and d are floating-point, Q is unsigned; all others fit in Int64.
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "f"), UInt8(ascii: "d"):
      writer.byte(Tag.double)
      writer.fixed(number.doubleValue)
    case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
      writer.byte(Tag.unsigned)
      writer.varint(number.uint64Value)
    default:
      writer.byte(Tag.integer)
      writer.signed(Int(number.int64Value))
    }
  }
}
