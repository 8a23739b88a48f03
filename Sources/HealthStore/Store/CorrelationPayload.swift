import Foundation
import SampleLog

/// The payload of a correlation's row: the identifiers of the samples it contains.
///
/// A version byte, the number of members, then for each its identifier (16 bytes) and its type's
/// identifier (length, UTF-8).
struct CorrelationPayload {
  /// The kind of compound object in `Extras.payloadKind`; never reused.
  static let kind: UInt64 = 1
  private static let version: UInt8 = 1

  var members: [(id: Identifier, type: String)]

  init(_ objects: [HKSample]) {
    members = objects.map { (Identifier($0.uuid), $0.sampleType.identifier) }
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.varint(UInt64(members.count))
    for member in members {
      writer.fixed(member.id.high)
      writer.fixed(member.id.low)
      writer.string(Array(member.type.utf8))
    }
    return writer.bytes
  }

  /// Reads the bytes, or returns `nil` when they are no such payload.
  init?(_ extras: Extras?) {
    guard let extras, extras.payloadKind == Self.kind else { return nil }
    let members = extras.payload.withUnsafeBytes { buffer -> [(Identifier, String)]? in
      var reader = ByteReader(buffer)
      guard
        reader.byte() == Self.version, let count = reader.varint(),
        count <= UInt64(reader.remaining)
      else { return nil }
      var members: [(Identifier, String)] = []
      for _ in 0..<count {
        guard let high = reader.fixed64(), let low = reader.fixed64(), let type = reader.string()
        else { return nil }
        members.append((Identifier(high: high, low: low), String(decoding: type, as: UTF8.self)))
      }
      return members
    }
    guard let members else { return nil }
    self.members = members.map { (id: $0.0, type: $0.1) }
  }
}
