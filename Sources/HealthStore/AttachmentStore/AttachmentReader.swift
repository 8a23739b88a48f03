import Foundation
import SampleLog

/// Reads the content of an attachment, one row at a time.
///
/// All rows are read from the snapshot taken when the reader was created.
struct AttachmentReader {
  private let snapshot: Snapshot
  private let row: Row
  private let payload: AttachmentPayload
  private var number = 0

  /// Looks up an attachment.
  ///
  /// - Throws: `errorInvalidArgument` if the store does not have the attachment or its object may
  ///   not be read.
  init(_ attachment: HKAttachment, _ reader: StoreReader) throws {
    try reader.check()
    snapshot = reader.store.database.snapshot()
    let id = Identifier(attachment.identifier)
    guard let (row, payload, _) = try reader.attachment(id, in: snapshot) else {
      throw HKError.make(
        .errorInvalidArgument, "The store does not have the attachment \(attachment.identifier).")
    }
    self.row = row
    self.payload = payload
  }

  /// Reads the content of the next row, or returns `nil` after the last one.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if content is missing.
  mutating func next() throws -> [UInt8]? {
    guard number < payload.chunkCount else { return nil }
    let found = try snapshot.row(AttachmentChunk.id(number, of: row.id))
    let chunk = try found.map { try snapshot.payload(AttachmentChunk.self, of: $0) }
    guard let chunk, chunk.content.count == payload.size(ofChunk: number) else {
      throw snapshot.damaged(row, "content that is missing")
    }
    number += 1
    return chunk.content
  }
}

extension StoreReader {
  /// Returns the attachments of an object, in the order in which they were added.
  ///
  /// - Throws: `errorInvalidArgument` if the store does not have the object, and
  ///   ``StoreError/damaged(file:offset:reason:)`` if an attachment cannot be read.
  func attachments(for object: HKObject) throws -> [HKAttachment] {
    try check()
    let snapshot = store.database.snapshot()
    let parent = try attachmentParent(object, in: snapshot)
    let name = ChildType.name(
      AttachmentPayload.childType, of: store.reader.typeIdentifier(of: parent))
    guard let type = store.database.symbols.find(name) else { return [] }
    return try snapshot.children(of: parent, type: type)
      .sorted { $0.sequence < $1.sequence }
      .map { HKAttachment($0.id.uuid, try snapshot.payload(AttachmentPayload.self, of: $0)) }
  }

  /// Returns the row of an object that may have attachments.
  ///
  /// - Throws: `errorInvalidArgument` if the store does not have the object or it may not be read.
  func attachmentParent(_ object: HKObject, in snapshot: Snapshot) throws -> Row {
    guard let row = try snapshot.row(Identifier(object.uuid)), row.subject == subject,
      let type = store.reader.type(of: row), access?.admits(row, type) ?? true
    else {
      throw HKError.make(
        .errorInvalidArgument,
        "The store does not have the \(type(of: object)) \(object.uuid); save it first.")
    }
    return row
  }

  /// Returns an attachment's row, payload and parent, or nil if there is none that may be read.
  func attachment(
    _ id: Identifier, in snapshot: Snapshot
  ) throws -> (row: Row, payload: AttachmentPayload, parent: Row)? {
    guard let row = try snapshot.row(id), row.subject == subject else { return nil }
    let extras = try snapshot.extras(of: row)
    guard extras.payloadKind == AttachmentPayload.kind, let parent = extras.memberOf.first,
      let parent = try snapshot.row(parent), let type = store.reader.type(of: parent),
      access?.admits(parent, type) ?? true
    else { return nil }
    return (row, try snapshot.payload(AttachmentPayload.self, of: row), parent)
  }
}
