import Foundation
import SampleLog
import UniformTypeIdentifiers

/// The description of an attachment to add.
struct NewAttachment: @unchecked Sendable {
  var name: String
  var contentType: UTType
  var url: URL
  var metadata: [String: Any]
}

extension OpenStore {
  /// Adds a file to an object: one commit per content row, then one for the attachment itself.
  ///
  /// The attachment becomes visible with the last commit. At most one content row is in memory.
  ///
  /// - Throws: `errorInvalidArgument` for an object that the store does not have, a file that
  ///   cannot be read or is too large, and metadata that cannot be stored.
  func addAttachment(
    _ new: NewAttachment, to object: HKObject, subject: String, policy: AuthorizationPolicy?,
    isCancelled: () -> Bool
  ) throws -> HKAttachment {
    try checkWritable()
    try policy?.checkSharing([object])
    let metadata = new.metadata.isEmpty ? nil : try Metadata.normalized(new.metadata).values
    let file = try AttachmentFile(new.url)
    let reader = StoreReader(self, subject: subject, policy: policy?.ownSamplesOnly)
    let parent = AttachmentParent(
      try reader.attachmentParent(object, in: database.snapshot()), self.reader)
    let id = Identifier()
    defer { AttachmentAdditions.end(id) }
    do {
      var number = 0
      var size = 0
      while let content = try file.read() {
        if isCancelled() { throw CancellationError() }
        size += content.count
        let chunk = AttachmentChunk.id(number, of: id)
        AttachmentAdditions.add(chunk, of: id)
        try database.commit(
          parent.batch(AttachmentChunk(content), as: chunk, number, database, subject),
          durability: .buffered)
        number += 1
      }
      let payload = AttachmentPayload(
        name: new.name, contentType: new.contentType, creationDate: Date(), size: size,
        metadata: metadata)
      // This commit is durable, and so are the buffered commits before it in the log.
      try database.commit(parent.batch(payload, as: id, 0, database, subject))
      return HKAttachment(id.uuid, payload)
    } catch {
      AttachmentAdditions.end(id)
      try removeLooseContent(of: parent.type, reader.subject)
      throw error
    }
  }

  /// Removes an attachment of an object, and orphaned content of interrupted additions.
  ///
  /// - Throws: `errorInvalidArgument` if the object does not have the attachment.
  func removeAttachment(
    _ attachment: HKAttachment, from object: HKObject, subject: String,
    policy: AuthorizationPolicy?
  ) throws {
    try checkWritable()
    try policy?.checkSharing([object])
    let reader = StoreReader(self, subject: subject, policy: policy?.ownSamplesOnly)
    let id = Identifier(attachment.identifier)
    let found = try reader.attachment(id, in: database.snapshot())
    guard let found, found.parent.id == Identifier(object.uuid) else {
      throw HKError.make(
        .errorInvalidArgument,
        "The \(type(of: object)) \(object.uuid) has no attachment \(attachment.identifier).")
    }
    var batch = Batch()
    batch.deletionSubject = reader.subject
    batch.delete(id)
    try database.commit(batch)
    try removeLooseContent(of: self.reader.typeIdentifier(of: found.parent), reader.subject)
  }

  /// Deletes orphaned content rows of one subject's objects of a type: those that belong neither
  /// to an attachment nor to an addition in progress.
  ///
  /// Reads 16 bytes per mebibyte of content (the row identifiers), and the content only of rows
  /// that it deletes.
  func removeLooseContent(of type: String, _ subject: Symbol) throws {
    func key(_ childType: String) -> SeriesKey? {
      database.symbols.find(ChildType.name(childType, of: type)).map {
        SeriesKey(subject: subject, type: $0)
      }
    }
    guard let contents = key(AttachmentChunk.childType) else { return }
    // Read atomically: an addition is in `known` before its first row is committed.
    var (known, snapshot) = AttachmentAdditions.withChunks { ($0, database.snapshot()) }
    if let attachments = key(AttachmentPayload.childType) {
      try snapshot.stream([attachments]) { rows in
        for row in rows {
          let payload = try snapshot.payload(AttachmentPayload.self, of: row)
          for number in 0..<payload.chunkCount {
            known.insert(AttachmentChunk.id(number, of: row.id))
          }
        }
        return true
      }
    }
    var loose: [Identifier] = []
    try snapshot.scan([contents], columns: [.id]) { block, rows in
      loose += rows.lazy.map { block.id[Int($0)] }.filter { !known.contains($0) }
      return true
    }
    // Deleting a row loads its content, so delete a few per commit.
    for first in stride(from: 0, to: loose.count, by: 4) {
      try database.commit(making: { snapshot in
        var batch = Batch()
        for id in loose[first..<min(first + 4, loose.count)] where try snapshot.row(id) != nil {
          batch.delete(id)
        }
        return batch
      })
    }
  }
}

/// The parent of an attachment's rows, with the fields that the rows copy.
private struct AttachmentParent {
  let type: String
  private let id: Identifier
  private let start: Date
  private let end: Date

  init(_ row: Row, _ reader: RowReader) {
    type = reader.typeIdentifier(of: row)
    id = row.id
    start = Date(timeIntervalSinceReferenceDate: row.start)
    end = Date(timeIntervalSinceReferenceDate: row.end)
  }

  /// Returns a commit of one child row of the object.
  func batch(
    _ payload: any ChildPayload, as row: Identifier, _ number: Int, _ database: Database,
    _ subject: String
  ) -> Batch {
    var writer = RowWriter(database, subject: subject)
    writer.add(
      payload, as: row, value: Double(number), parent: id, of: type, start: start, end: end)
    return writer.batch
  }
}

/// The content rows of additions in progress in this process, whose attachments are not committed
/// yet.
private enum AttachmentAdditions {
  private static let chunks = Locked<[Identifier: Set<Identifier>]>([:])

  static func add(_ chunk: Identifier, of attachment: Identifier) {
    chunks.withLock { _ = $0[attachment, default: []].insert(chunk) }
  }

  static func end(_ attachment: Identifier) { chunks.withLock { $0[attachment] = nil } }

  /// Calls a function with these rows.
  ///
  /// No addition starts a row or ends during the call.
  static func withChunks<Value>(_ body: (Set<Identifier>) -> Value) -> Value {
    chunks.withLock { all in body(all.values.reduce(into: []) { $0.formUnion($1) }) }
  }
}
