import Foundation
package import SampleLog

/// What a sample has that its plain fields do not say.
///
/// The plain fields are type, dates, value, unit, source, device and metadata.
package struct StoredContents {
  /// The extras as the engine encodes them, metadata among them.
  package var extras: [UInt8]
  /// The rows that the sample owns, its attachments among them.
  package var rows: [StoredSample]
}

// Rows of the snapshot, whoever's they are.
extension StoredObjects {
  /// The object that a row is.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func object(of row: RowReference) throws -> StoredObject {
    var check = RowCheck(reader)
    try check.check(row, in: snapshot)
    let block = reader.type(row.block.type).map { StoredBlock(row.block, $0, reader) }
    return StoredObject(
      row: row, sample: block.map { HKSample.make(block: $0, row: Int32(row.row)) })
  }

  /// The live row of an identifier; nil when there is none.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when it cannot be read.
  package func row(_ uuid: UUID) throws -> RowReference? { try snapshot.row(Identifier(uuid)) }

  /// Whether rows of a type may own others, such as the points of a series.
  package func mayOwn(_ type: Symbol) -> Bool { !snapshot.symbols.types(ownedBy: type).isEmpty }

  /// What a row has that its plain fields do not say; nil for nothing.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func contents(of row: RowReference) throws -> StoredContents? {
    let hasExtras = row.block.extras[row.row] != 0
    let extras = hasExtras ? try snapshot.extras(of: row) : Extras()
    var rows: [StoredSample] = []
    try forEachOwned(by: StoredObject(row: row, sample: nil)) { rows.append($0) }
    if rows.isEmpty, extras.payloadKind == 0, extras.memberOf.isEmpty {
      // Metadata says under what name a later version replaces it, if that was meant.
      let metadata = extras.metadata.isPlainText ? nil : try reader.metadata(of: row)
      let said = SyncIdentity(metadata, reader.sourceRevision(of: row))
      if said?.identifier ?? [] == extras.syncIdentifier,
        extras.syncIdentifier.isEmpty || said?.version == extras.syncVersion
      {
        return nil
      }
    }
    return StoredContents(
      extras: hasExtras ? [UInt8](row.block.extras(at: row.row)) : [], rows: rows)
  }

  /// The identifiers of the live samples that a row contains, or that belong to it.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func members(of row: RowReference) throws -> [UUID] {
    let links =
      reader.type(of: row) is HKWorkoutType
      ? try snapshot.payloads(WorkoutLinksPayload.self, ownedBy: row) : []
    let linked = try snapshot.rows(of: links.flatMap(\.members), subject: row.subject)
    return try reader.members(of: row, in: snapshot) + linked.map(\.id.uuid)
  }

  /// The identifiers of the objects that a row belongs to.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func owners(of row: RowReference) throws -> [UUID] {
    if row.block.extras[row.row] == 0 { return [] }
    return try snapshot.extras(of: row).memberOf.map(\.uuid)
  }

  /// Calls a function with the points of a row, chunk by chunk; a row of no series has none.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func forEachChunk(of row: RowReference, _ body: (PointChunk) throws -> Void) throws {
    guard let kind = reader.type(of: row).map(SampleKind.init),
      kind.payload is any SeriesPayload.Type
    else { return }
    var series = try SeriesReader(row, kind, snapshot)
    while let chunk = try series.next() { try body(chunk) }
  }
}
