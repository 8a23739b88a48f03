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

  /// Sixteen digits that equal objects share.
  static func text(of object: some NSObject & NSSecureCoding) -> String {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    let digits = String(Fingerprint.of(archiver.encodedData), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// FNV-1a of 64 bits: what is equal has equal numbers, in every process and on every device.
enum Fingerprint {
  static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
