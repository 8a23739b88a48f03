import Foundation

/// What a later version of an object replaces it by.
struct SyncIdentity {
  /// The object's sync identifier, with its source in front: others may use the same one.
  let identifier: [UInt8]
  let version: Int64

  /// `nil` when the metadata does not name both keys.
  init?(_ metadata: [String: Any]?, _ revision: HKSourceRevision) {
    guard
      let identifier = metadata?[HKMetadataKeySyncIdentifier] as? String,
      let version = metadata?[HKMetadataKeySyncVersion] as? NSNumber
    else { return nil }
    self.identifier = Array(revision.source.bundleIdentifier.utf8) + [0] + Array(identifier.utf8)
    self.version = version.int64Value
  }
}
