import Foundation
package import SampleLog

/// The parts of a stored sample beyond its plain fields.
///
/// The plain fields are type, dates, value, unit, source, device and metadata.
package struct StoredContents {
  /// The encoded extras of the row, including metadata.
  package var extras: [UInt8]
  /// The child rows of the sample, including attachments.
  package var rows: [StoredSample]
}

// These methods accept rows of any subject in the snapshot.
extension StoredObjects {
  /// Returns the object for a row.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func object(of row: Row) throws -> StoredObject {
    var check = RowCheck(reader)
    try check.check(row, in: snapshot)
    let block = reader.type(row.block.type).map { StoredBlock(row.block, $0, reader) }
    return StoredObject(
      row: row, sample: block.map { HKSample.make(block: $0, row: Int32(row.row)) })
  }

  /// Returns the live row with an identifier, or nil if there is none.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the row cannot be read.
  package func row(_ uuid: UUID) throws -> Row? { try snapshot.row(Identifier(uuid)) }

  /// Returns whether rows of a type may have child rows, such as the points of a series.
  package func mayHaveChildren(_ type: Symbol) -> Bool {
    !snapshot.symbols.childTypes(of: type).isEmpty
  }

  /// Returns the parts of a row beyond its plain fields, or nil if there are none.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func contents(of row: Row) throws -> StoredContents? {
    let hasExtras = row.block.extras[row.row] != 0
    let extras = hasExtras ? try snapshot.extras(of: row) : Extras()
    var rows: [StoredSample] = []
    try forEachChild(of: StoredObject(row: row, sample: nil)) { rows.append($0) }
    if rows.isEmpty, extras.payloadKind == 0, extras.memberOf.isEmpty {
      // Metadata implies the row's sync identity, unless the row was stored with another one.
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

  /// Returns a sample for transfer into another store, and its child rows.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func stored(_ row: Row) throws -> (sample: StoredSample, children: [StoredSample]) {
    let object = StoredObject(row: row, sample: nil)
    let type = snapshot.symbols.text(row.block.type)
    var sample = StoredSample(
      uuid: object.uuid, type: type, start: object.start, end: object.end, value: object.value)
    sample.unit = String(decoding: name(object.unit), as: UTF8.self)
    sample.source = name(object.source)
    sample.device = name(object.device)
    sample.extras = object.extras
    var children: [StoredSample] = []
    try forEachChild(of: object) { children.append($0) }
    return (sample, children)
  }

  /// Returns the identifiers of the live samples that a row contains or that are linked to it.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func members(of row: Row) throws -> [UUID] {
    let members = try reader.members(of: row, in: snapshot)
    guard reader.type(of: row) is HKWorkoutType else { return members }
    let links = try snapshot.payloads(WorkoutLinksPayload.self, of: row).flatMap(\.members)
    let efforts = try snapshot.payloads(WorkoutEffortPayload.self, of: row).flatMap(\.members)
    let linked = try snapshot.rows(of: links + efforts, subject: row.subject)
    return members + linked.map(\.id.uuid)
  }

  /// Returns the identifiers of the live samples that all correlations of a type contain.
  ///
  /// The correlations are read, because a member may name a version that a later one has replaced.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  /// - Complexity: Linear in the number of correlations of the type.
  package func members(ofAll type: String) throws -> Set<UUID> {
    guard let symbol = snapshot.symbols.find(Array(type.utf8)) else { return [] }
    var found: Set<UUID> = []
    for row in try snapshot.select(snapshot.series.filter { $0.type == symbol }) {
      found.formUnion(try reader.members(of: row, in: snapshot))
    }
    return found
  }

  /// Calls a function with each chunk of points of a row.
  ///
  /// A row that is not a series has none.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func forEachChunk(of row: Row, _ body: (PointChunk) throws -> Void) throws {
    var series = try reader.series(of: row, in: snapshot)
    while let chunk = try series?.next() { try body(chunk) }
  }
}
