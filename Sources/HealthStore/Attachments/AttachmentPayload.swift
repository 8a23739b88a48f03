import Foundation
import SampleLog
import UniformTypeIdentifiers

/// The payload of an attachment: what is known of a file beside its content.
///
/// A version byte, name and type as text, when it was added, its size, its metadata. The row's
/// identifier is the attachment's. It is saved with the last of the content, and so says that all
/// of it is there.
package struct AttachmentPayload: OwnedPayload {
  package static let kind: UInt64 = 17
  package static let role = OwnedType.anyOwner + "attachments"
  private static let version: UInt8 = 1
  /// The most bytes of content.
  static let maximumSize = 1 << 30

  let name: String
  let contentType: UTType
  let creationDate: Date
  /// The bytes of content.
  let size: Int
  let metadata: [String: Any]?

  /// How many rows the content has.
  var chunkCount: Int { (size + AttachmentChunk.maximumSize - 1) / AttachmentChunk.maximumSize }

  /// How many bytes of content a row has.
  func size(ofChunk number: Int) -> Int {
    min(AttachmentChunk.maximumSize, size - number * AttachmentChunk.maximumSize)
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.text(name)
    writer.text(contentType.identifier)
    writer.date(creationDate)
    writer.varint(UInt64(size))
    writer.metadata(metadata)
    return writer.bytes
  }
}

// In an extension, so that there is an initialiser of all members, too.
extension AttachmentPayload {
  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let name = reader.text(), let type = reader.text(),
      let date = reader.date(), let size = reader.varint(), size <= UInt64(Self.maximumSize),
      let metadata = reader.metadata(), reader.isAtEnd
    else { return nil }
    self.init(
      name: name, contentType: UTType(importedAs: type), creationDate: date, size: Int(size),
      metadata: metadata)
  }
}

extension AttachmentPayload: @unchecked Sendable {}

/// The payload of some of the content of an attachment, in a row that its owner owns.
///
/// A version byte, then the content as it is. The attachment's identifier and the number of the
/// row, from 0, decide the row's identifier.
package struct AttachmentChunk: OwnedPayload {
  package static let kind: UInt64 = 18
  package static let role = OwnedType.anyOwner + "attachment chunks"
  private static let version: UInt8 = 1
  /// The most bytes of one row; all but the last of an attachment have so many.
  package static let maximumSize = 1 << 20

  let content: [UInt8]

  init(_ content: [UInt8]) { self.content = content }

  package var encoded: [UInt8] { [Self.version] + content }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.first == Self.version, (2...Self.maximumSize + 1).contains(bytes.count) else {
      return nil
    }
    content = [UInt8](bytes.dropFirst())
  }

  /// The identifier of a row of an attachment.
  static func id(_ number: Int, of attachment: Identifier) -> Identifier {
    Identifier(ownedBy: attachment, role: role, number: UInt64(number))
  }
}
