import Foundation

/// The identity and version by which a later version of an object replaces it.
package struct SyncIdentity {
  /// The object's sync identifier, prefixed with its source, because other sources may use the
  /// same one.
  package let identifier: [UInt8]
  /// The version of the object.
  package let version: Int64

  /// Returns `nil` if the metadata lacks one of the two keys, or if a value has the wrong type.
  package init?(_ metadata: [String: Any]?, _ revision: HKSourceRevision) {
    guard
      let identifier = metadata?[HKMetadataKeySyncIdentifier] as? String,
      let version = metadata?[HKMetadataKeySyncVersion].flatMap(Self.version)
    else { return nil }
    self.identifier = Array(revision.source.bundleIdentifier.utf8) + [0] + Array(identifier.utf8)
    self.version = version
  }

  /// Returns the version that a metadata value stands for, or `nil` if the value is not a 64-bit
  /// integer and so could not be compared exactly.
  static func version(_ value: Any) -> Int64? {
    switch MetadataValue(value) {
    case .integer(let version): version
    case .bool(let version): version ? 1 : 0
    case .double(let version): Int64(exactly: version)
    default: nil
    }
  }
}
