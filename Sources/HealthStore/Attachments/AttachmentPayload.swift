import Foundation
import SampleLog
import UniformTypeIdentifiers

/// The payload of an attachment: the properties of the file except its content.
///
/// Format: a version byte, the name and type as text, the creation date, the size, and the
/// metadata. The row's identifier is that of the attachment. The row is committed after all
/// content rows, so its presence implies that the content is complete.
package struct AttachmentPayload: ChildPayload {
  package static let kind: UInt64 = 17
  package static let childType = ChildType.anyParent + "attachments"
  private static let version: UInt8 = 1
  /// The maximum size of the content, in bytes.
  static let maximumSize = 1 << 30

  let name: String
  let contentType: UTType
  let creationDate: Date
  /// The size of the content, in bytes.
  let size: Int
  let metadata: [String: Any]?

  /// The number of content rows.
  var chunkCount: Int { (size + AttachmentChunk.maximumSize - 1) / AttachmentChunk.maximumSize }

  /// Returns the size of a content row, in bytes.
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

// Declared in an extension to keep the memberwise initialiser.
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

/// The payload of a content row: a chunk of an attachment's content, in a child row of the object.
///
/// Format: a version byte, then the bytes of the content. The row's identifier is derived from the
/// attachment's identifier and the row's number, which counts from 0.
package struct AttachmentChunk: ChildPayload {
  package static let kind: UInt64 = 18
  package static let childType = ChildType.anyParent + "attachment chunks"
  private static let version: UInt8 = 1
  /// The maximum content of one row, in bytes.
  ///
  /// All rows of an attachment but the last are full.
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

  /// Returns the identifier of an attachment's content row.
  static func id(_ number: Int, of attachment: Identifier) -> Identifier {
    Identifier(childOf: attachment, type: childType, number: UInt64(number))
  }
}
