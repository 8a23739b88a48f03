import Foundation
package import SampleLog

/// The payload of a correlation's row: what names the samples it contains.
///
/// A version byte, the number of members, then for each its identifier (16 bytes), its type's
/// identifier and its scoped sync identifier (each a length and bytes, the latter empty for none).
/// A newer version of a member, which has another identifier, takes its place by the latter.
package struct CorrelationPayload {
  /// The kind of compound object in `Extras.payloadKind`; never reused.
  static let kind: UInt64 = 1
  private static let version: UInt8 = 1

  struct Member {
    var id: Identifier
    var type: String
    /// Empty for a member that is never replaced.
    var syncIdentifier: [UInt8] = []
  }

  let members: [Member]

  init(_ members: [Member]) { self.members = members.sorted { $0.id < $1.id } }

  /// Makes the payload that of a row.
  func add(to extras: inout Extras) {
    extras.payloadKind = Self.kind
    extras.payload = encoded
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.varint(UInt64(members.count))
    for member in members {
      writer.fixed(member.id.high)
      writer.fixed(member.id.low)
      writer.string(Array(member.type.utf8))
      writer.string(member.syncIdentifier)
    }
    return writer.bytes
  }

  /// Reads the bytes, or returns `nil` when they are no such payload.
  package init?(_ extras: Extras?) {
    guard let extras, extras.payloadKind == Self.kind else { return nil }
    let members = extras.payload.withUnsafeBytes { buffer -> [Member]? in
      var reader = ByteReader(buffer)
      guard
        reader.byte() == Self.version, let count = reader.varint(),
        count <= UInt64(reader.remaining)
      else { return nil }
      var members: [Member] = []
      for _ in 0..<count {
        guard let high = reader.fixed64(), let low = reader.fixed64(),
          let type = reader.string().flatMap({ String(validating: $0, as: UTF8.self) }),
          let syncIdentifier = reader.string()
        else { return nil }
        members.append(
          Member(
            id: Identifier(high: high, low: low), type: type, syncIdentifier: syncIdentifier))
      }
      return reader.isAtEnd ? members : nil
    }
    guard let members else { return nil }
    self.members = members
  }
}
