import Foundation
import SampleLog

/// Reads the content of an attachment, a row at a time.
///
/// It sees what the store had when it was made.
struct AttachmentReader {
  private let snapshot: Snapshot
  private let row: RowReference
  private let payload: AttachmentPayload
  private var number = 0

  /// Finds an attachment.
  ///
  /// - Throws: `errorInvalidArgument` when the store does not have it, or its owner may not be
  ///   seen.
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

  /// Reads the next row's content; `nil` after the last.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when content is missing.
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
  /// The attachments of an object, in the order in which they were added.
  ///
  /// - Throws: `errorInvalidArgument` when the store does not have the object,
  ///   ``StoreError/damaged(file:offset:reason:)`` when an attachment cannot be read.
  func attachments(for object: HKObject) throws -> [HKAttachment] {
    try check()
    let snapshot = store.database.snapshot()
    let owner = try attachmentOwner(object, in: snapshot)
    let name = OwnedType.name(AttachmentPayload.role, of: store.reader.typeIdentifier(of: owner))
    guard let type = store.database.symbols.find(name) else { return [] }
    return try snapshot.rows(ownedBy: owner, of: type)
      .sorted { $0.sequence < $1.sequence }
      .map { HKAttachment($0.id.uuid, try snapshot.payload(AttachmentPayload.self, of: $0)) }
  }

  /// The row of an object that may have attachments.
  ///
  /// - Throws: `errorInvalidArgument` when the store does not have it, or it may not be seen.
  func attachmentOwner(_ object: HKObject, in snapshot: Snapshot) throws -> RowReference {
    guard let row = try snapshot.row(Identifier(object.uuid)), row.subject == subject,
      let type = store.reader.type(of: row), access?.admits(row, type) ?? true
    else {
      throw HKError.make(
        .errorInvalidArgument,
        "The store does not have the \(type(of: object)) \(object.uuid); save it first.")
    }
    return row
  }

  /// An attachment's row, what it says, and its owner; nil when there is none that may be seen.
  func attachment(
    _ id: Identifier, in snapshot: Snapshot
  ) throws -> (row: RowReference, payload: AttachmentPayload, owner: RowReference)? {
    guard let row = try snapshot.row(id), row.subject == subject else { return nil }
    let extras = try snapshot.extras(of: row)
    guard extras.payloadKind == AttachmentPayload.kind, let owner = extras.memberOf.first,
      let owner = try snapshot.row(owner), let type = store.reader.type(of: owner),
      access?.admits(owner, type) ?? true
    else { return nil }
    return (row, try snapshot.payload(AttachmentPayload.self, of: row), owner)
  }
}
