import SampleLog

/// The payload of a correlation's row: references to the samples that it contains.
///
/// Format: a version byte, the number of members, and for each member its identifier (16 bytes),
/// its type's identifier and its scoped sync identifier (each length-prefixed; the latter is empty
/// if absent). A newer version of a member has another identifier and is found by the sync
/// identifier.
package struct CorrelationPayload: SamplePayload {
  package static let kind: UInt64 = 1
  /// Programs that use the engine directly may write a correlation without a list of members.
  package static let isRequired = false
  private static let version: UInt8 = 1

  package let members: [Member]

  package init(_ members: [Member]) { self.members = members.sorted { $0.id < $1.id } }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.list(members) { $0.member($1) }
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let members = reader.list({ $0.member() }),
      reader.isAtEnd
    else { return nil }
    self.members = members
  }
}
