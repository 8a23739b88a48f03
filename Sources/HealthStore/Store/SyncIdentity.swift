import Foundation

/// What a later version of an object replaces it by.
package struct SyncIdentity {
  /// The object's sync identifier, with its source in front: others may use the same one.
  package let identifier: [UInt8]
  /// Which version of the object it is.
  package let version: Int64

  /// `nil` when the metadata does not have both keys with values that can be one.
  package init?(_ metadata: [String: Any]?, _ revision: HKSourceRevision) {
    guard
      let identifier = metadata?[HKMetadataKeySyncIdentifier] as? String,
      let version = metadata?[HKMetadataKeySyncVersion].flatMap(Self.version)
    else { return nil }
    self.identifier = Array(revision.source.bundleIdentifier.utf8) + [0] + Array(identifier.utf8)
    self.version = version
  }

  /// The version that a metadata value stands for; `nil` when it is no whole number of 64 bits,
  /// which could not be compared exactly.
  static func version(_ value: Any) -> Int64? {
    switch MetadataValue(value) {
    case .integer(let version): version
    case .bool(let version): version ? 1 : 0
    case .double(let version): Int64(exactly: version)
    default: nil
    }
  }
}
