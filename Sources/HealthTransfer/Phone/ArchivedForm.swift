import Foundation
import HealthKit

/// Encodes HealthKit's opaque objects through their archives.
enum ArchivedForm {
  /// Returns the archive of an anchor, or throws if it cannot be archived.
  static func bytes(of anchor: HKQueryAnchor) throws -> [UInt8] {
    [UInt8](try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true))
  }

  /// Returns the archived anchor, or nil if there are no bytes.
  static func anchor(_ bytes: [UInt8]) throws -> HKQueryAnchor? {
    if bytes.isEmpty { return nil }
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: Data(bytes))
  }

  /// Returns whether the bytes are an archived anchor or empty, which represents the beginning.
  static func isAnchor(_ bytes: [UInt8]) -> Bool {
    do {
      return try bytes.isEmpty || anchor(bytes) != nil
    } catch {
      return false
    }
  }

  /// Returns sixteen hexadecimal digits that are the same for equal objects.
  ///
  /// Archives of equal objects may differ in the order of their entries, so the digits are a hash
  /// of the entries in sorted order.
  static func text(of object: some NSObject & NSSecureCoding) throws -> String {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: object, requiringSecureCoding: true)
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    let digits = String(Fingerprint.of(words(of: list).utf8), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns the contents of a property list in a canonical order.
  private static func words(of value: Any) -> String {
    switch value {
    case let value as [String: Any]:
      value.sorted { $0.key < $1.key }.map { "\($0.key)=\(words(of: $0.value));" }.joined()
    case let value as [Any]: value.map { words(of: $0) + "," }.joined()
    case let value as String: value
    case let value as Data: value.base64EncodedString()
    case let value as NSNumber: value.stringValue
    // A reference within the archive, which the order of the entries implies.
    default: ""
    }
  }
}

/// The 64-bit FNV-1a hash, whose values are stable across processes and devices.
package enum Fingerprint {
  /// Returns the hash of a sequence of bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
