import Foundation
import HealthKit

/// What HealthKit archives and says nothing else about.
enum ArchivedForm {
  /// The bytes of an anchor; nil when it cannot be archived.
  static func bytes(of anchor: HKQueryAnchor) throws -> [UInt8] {
    [UInt8](try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true))
  }

  /// The anchor of some bytes; nil for none.
  static func anchor(_ bytes: [UInt8]) throws -> HKQueryAnchor? {
    if bytes.isEmpty { return nil }
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: Data(bytes))
  }

  /// Whether bytes are an anchor, or none, which stand for the beginning.
  static func isAnchor(_ bytes: [UInt8]) -> Bool {
    do {
      return try bytes.isEmpty || anchor(bytes) != nil
    } catch {
      return false
    }
  }

  /// Sixteen digits that equal objects share.
  ///
  /// Archives of equal objects differ in the order of their entries.
  static func text(of object: some NSObject & NSSecureCoding) throws -> String {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: object, requiringSecureCoding: true)
    let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    let digits = String(Fingerprint.of(words(of: list).utf8), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// What a property list says, in one order.
  private static func words(of value: Any) -> String {
    switch value {
    case let value as [String: Any]:
      value.sorted { $0.key < $1.key }.map { "\($0.key)=\(words(of: $0.value));" }.joined()
    case let value as [Any]: value.map { words(of: $0) + "," }.joined()
    case let value as String: value
    case let value as Data: value.base64EncodedString()
    case let value as NSNumber: value.stringValue
    // A reference within the archive, whose order says as much.
    default: ""
    }
  }
}

/// FNV-1a of 64 bits: what is equal has equal numbers, in every process and on every device.
package enum Fingerprint {
  /// The fingerprint of some bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
