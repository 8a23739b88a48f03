import Foundation
import SampleLog

/// A live row of a store and the object that it is, on their way into an export.
package struct StoredObject {
  let row: RowReference
  /// The object; nil for one of a type that this version does not know.
  ///
  /// The objects in a correlation are not read.
  package let sample: HKSample?

  /// The identifier.
  package var uuid: UUID { row.id.uuid }
  /// When it begins, in seconds since 2001.
  package var start: Double { row.block.start[row.row] }
  /// When it ends, in seconds since 2001.
  package var end: Double { row.block.end[row.row] }
  /// What the row has as its value.
  package var value: Double { row.block.value[row.row] }
  /// Stands for the row's unit; 0 for none.
  package var unit: UInt32 { row.block.unit[row.row] }
  /// Stands for the row's source revision; 0 for none.
  package var source: UInt32 { row.block.source[row.row] }
  /// Stands for the row's device; 0 for none.
  package var device: UInt32 { row.block.device[row.row] }
  /// The extras as the engine encodes them; empty for none.
  package var extras: [UInt8] {
    row.block.extras[row.row] == 0 ? [] : [UInt8](row.block.extras(at: row.row))
  }
  /// The first of the objects that it belongs to.
  package var owner: UUID? {
    if row.block.extras[row.row] == 0 { return nil }
    return Extras(row.block.extras(at: row.row))?.memberOf.first?.uuid
  }
  /// The name under which a later version replaces it, and its version; nil where there is none.
  package var hasSyncIdentifier: Bool {
    if row.block.extras[row.row] == 0 { return false }
    return Extras(row.block.extras(at: row.row))?.syncIdentifier.isEmpty == false
  }
}

/// The live objects of one person as they were at one moment.
package struct StoredObjects {
  let reader: RowReader
  let snapshot: Snapshot
  private let subject: Symbol
  /// Keeps the number of the subject valid.
  private let names: SymbolLease
  /// Told of objects that cannot be read, which ``forEach(_:_:)`` then leaves out.
  package var onUnreadable: ((StoreError) -> Void)?

  /// Takes a snapshot of the objects of a store's subject.
  ///
  /// - Throws: ``HKError`` with `errorAuthorizationDenied` when a policy says what the store's
  ///   handle may read, and what opening the store throws.
  package init(_ store: HKHealthStore) throws {
    if store.authorization != nil {
      throw HKError.make(
        .errorAuthorizationDenied,
        "An export has everything; use a handle without an authorization policy.")
    }
    let open = try store.location.open()
    reader = open.reader
    snapshot = open.database.snapshot()
    names = SymbolLease(open.database.symbols)
    subject = names.symbol(store.subject)
  }

  /// Takes the objects of a snapshot, of whose rows a subject's are found.
  package init(_ reader: RowReader, _ snapshot: Snapshot, subject: Symbol = 0) {
    self.reader = reader
    self.snapshot = snapshot
    self.subject = subject
    names = SymbolLease(snapshot.symbols)
  }

  /// The identifiers of the types of which there may be objects, rising.
  package var types: [String] {
    let symbols = snapshot.symbols
    return snapshot.series(of: subject).filter { !symbols.isOwnedType($0.type) }
      .map { symbols.text($0.type) }.sorted()
  }

  /// Calls a function with the objects of a type in order of start, holding few in memory.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` for one that cannot be read, unless
  ///   ``onUnreadable`` is told of it, and what the function throws.
  package func forEach(_ type: String, _ body: (StoredObject) throws -> Void) throws {
    guard let symbol = snapshot.symbols.find(Array(type.utf8)) else { return }
    var check = RowCheck(reader)
    var sorting = SampleCheck(reader, readsPoints: true)
    var block: StoredBlock?
    try snapshot.stream([SeriesKey(subject: subject, type: symbol)]) { rows in
      for row in rows {
        if let onUnreadable {
          if let error = try sorting.problem(of: row, in: snapshot) {
            onUnreadable(error)
            continue
          }
        } else {
          try check.check(row, in: snapshot)
        }
        try body(object(row, &block))
      }
      return true
    }
  }

  /// The object of an identifier; nil when there is none, or none that can be read if
  /// ``onUnreadable`` is told of those.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func object(_ uuid: UUID) throws -> StoredObject? {
    guard let row = try snapshot.row(Identifier(uuid)), row.subject == subject else {
      return nil
    }
    if onUnreadable != nil {
      var check = SampleCheck(reader, readsPoints: true)
      if try check.problem(of: row, in: snapshot) != nil { return nil }
    } else {
      var check = RowCheck(reader)
      try check.check(row, in: snapshot)
    }
    var block: StoredBlock?
    return object(row, &block)
  }

  private func object(_ row: RowReference, _ block: inout StoredBlock?) -> StoredObject {
    if block?.block !== row.block {
      block = reader.type(row.block.type).map { StoredBlock(row.block, $0, reader) }
    }
    return StoredObject(
      row: row, sample: block.map { HKSample.make(block: $0, row: Int32(row.row)) })
  }

  /// Calls a function with the rows that an object owns, its attachments among them, in the order
  /// in which they were saved, holding one in memory.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func forEachOwned(
    by object: StoredObject, _ body: (StoredSample) throws -> Void
  ) throws {
    let row = object.row
    let types = try ownedTypes(of: row)
    if types.isEmpty { return }
    var found: [(sequence: UInt64, id: Identifier)] = []
    for type in types {
      try snapshot.forEachRow(ownedBy: row, of: type) { found.append(($0.sequence, $0.id)) }
    }
    let symbols = snapshot.symbols
    let type = symbols.text(row.block.type)
    for (_, id) in found.sorted(by: { $0.sequence < $1.sequence }) {
      guard let owned = try snapshot.row(id) else { continue }
      let role = symbols.name(owned.block.type).split(separator: OwnedType.mark).last ?? []
      var sample = StoredSample(
        uuid: id.uuid, type: type, role: String(decoding: role, as: UTF8.self),
        start: owned.start, end: owned.end, value: owned.value)
      sample.extras = [UInt8](try snapshot.extras(of: owned).encoded)
      try body(sample)
    }
  }

  /// The types of what a row may own: a row without a payload owns attachments alone.
  private func ownedTypes(of row: RowReference) throws -> [Symbol] {
    let symbols = snapshot.symbols
    let types = symbols.types(ownedBy: row.block.type)
    if types.isEmpty { return [] }
    if row.block.extras[row.row] != 0, try snapshot.extras(of: row).payloadKind != 0 {
      return types
    }
    return types.filter { OwnedType.isOfAnyOwner(symbols.name($0)) }
  }

  /// How many attachments an object has.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func attachmentCount(of object: StoredObject) throws -> Int {
    let (row, symbols) = (object.row, snapshot.symbols)
    let name = OwnedType.name(AttachmentPayload.role, of: symbols.text(row.block.type))
    guard let type = symbols.find(name) else { return 0 }
    var count = 0
    try snapshot.forEachRow(ownedBy: row, of: type) { _ in count += 1 }
    return count
  }

  /// Calls a function with the points of a series, chunk by chunk.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func forEachChunk(
    of object: StoredObject, _ body: (PointChunk) throws -> Void
  ) throws {
    guard let sample = object.sample else { return }
    var reader = try SeriesReader(object.row, sample.sampleKind, snapshot)
    while let chunk = try reader.next() { try body(chunk) }
  }

  /// The live samples that rate the effort of a workout, or of an activity of it.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func efforts(of workout: StoredObject) throws -> [(sample: UUID, activity: UUID?)] {
    try snapshot.efforts(of: workout.row).map { ($0.row.id.uuid, $0.activity?.uuid) }
  }

  /// The identifiers of the live objects that an object contains.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func members(of object: StoredObject) throws -> [UUID] {
    try reader.members(of: object.row, in: snapshot)
  }

  /// Who recorded an object.
  package func sourceRevision(of object: StoredObject) -> HKSourceRevision {
    reader.sourceRevision(of: object.row)
  }

  /// What recorded an object.
  package func device(of object: StoredObject) -> HKDevice? { reader.device(of: object.row) }

  /// An object's metadata.
  ///
  /// - Throws: As ``forEach(_:_:)``.
  package func metadata(of object: StoredObject) throws -> [String: Any] {
    if object.row.block.extras[object.row.row] == 0 { return [:] }
    do {
      return try reader.metadata(of: object.row) ?? [:]
    } catch {
      // Text of a program that uses the engine alone is no metadata.
      return [:]
    }
  }

  /// What a number stands for, as the store knows it; empty for 0.
  package func name(_ symbol: UInt32) -> [UInt8] {
    symbol == 0 ? [] : snapshot.symbols.name(symbol)
  }
}
