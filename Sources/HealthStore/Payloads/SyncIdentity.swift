import Foundation

/// The identity and version by which a later version of an object replaces it.
package struct SyncIdentity {
  /// The object's sync identifier, prefixed with its source, because other sources may use the
  /// same one.
  package let identifier: [UInt8]
  /// The version of the object.
  package let version: Int64

  /// Returns `nil` if the metadata lacks one of the two keys, the identifier is empty, or a value
  /// has the wrong type.
  package init?(_ metadata: [String: Any]?, _ revision: HKSourceRevision) {
    guard
      let identifier = metadata?[HKMetadataKeySyncIdentifier] as? String, !identifier.isEmpty,
      let version = metadata?[HKMetadataKeySyncVersion].flatMap(Self.version)
    else { return nil }
    self.identifier = Array(revision.source.bundleIdentifier.utf8) + [0] + Array(identifier.utf8)
    self.version = version
  }

  /// Returns the version in a metadata value, or `nil` if the value is not a 64-bit integer,
  /// because versions must be compared exactly.
  ///
  /// A Boolean is not a number.
  static func version(_ value: Any) -> Int64? { MetadataValue(value).flatMap(version) }

  private static func version(_ value: MetadataValue) -> Int64? {
    switch value {
    case .integer(let version): version
    case .double(let version): Int64(exactly: version)
    default: nil
    }
  }

  /// Throws if the sync identifier in the metadata is empty or the version is not a 64-bit integer.
  package static func check(
    _ metadata: [String: Any], of type: @autoclosure () -> String
  ) throws(HKInvalidSampleError) {
    try check(
      identifier: metadata[HKMetadataKeySyncIdentifier].flatMap { MetadataValue($0) },
      version: metadata[HKMetadataKeySyncVersion].flatMap { MetadataValue($0) }, of: type())
  }

  /// Throws if the sync identifier is empty or the version is not a 64-bit integer.
  ///
  /// Unrelated samples with an empty identifier would replace each other.
  static func check(
    identifier: MetadataValue?, version: MetadataValue?, of type: @autoclosure () -> String
  ) throws(HKInvalidSampleError) {
    if identifier == .string("") { throw emptyIdentifier(type: type()) }
    if let version, Self.version(version) == nil {
      throw .invalidSyncVersion("\(version.object)")
    }
  }

  static func emptyIdentifier(type: String) -> HKInvalidSampleError {
    .invalidContents(type: type, reason: "its sync identifier is empty.")
  }
}
