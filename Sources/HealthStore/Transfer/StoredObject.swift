import Foundation
import SampleLog

/// A live row of a store and its object, for an export.
package struct StoredObject {
  let row: Row
  /// The object, or nil if this version does not know its type.
  ///
  /// The members of a correlation are not read.
  package let sample: HKSample?

  package var uuid: UUID { row.id.uuid }
  /// The start, in seconds since 2001-01-01 00:00 UTC.
  package var start: Double { row.block.start[row.row] }
  /// The end, in seconds since 2001-01-01 00:00 UTC.
  package var end: Double { row.block.end[row.row] }
  package var value: Double { row.block.value[row.row] }
  /// The symbol of the unit, or 0 if there is none.
  package var unit: UInt32 { row.block.unit[row.row] }
  /// The symbol of the source revision, or 0 if there is none.
  package var source: UInt32 { row.block.source[row.row] }
  /// The symbol of the device, or 0 if there is none.
  package var device: UInt32 { row.block.device[row.row] }
  /// The encoded extras, or an empty array if there are none.
  package var extras: [UInt8] {
    row.block.extras[row.row] == 0 ? [] : [UInt8](row.block.extras(at: row.row))
  }
  /// The first of the objects that contain this one.
  package var parent: UUID? {
    if row.block.extras[row.row] == 0 { return nil }
    return Extras(row.block.extras(at: row.row))?.memberOf.first?.uuid
  }
  /// Whether the row has a sync identifier, under which a later version replaces it.
  package var hasSyncIdentifier: Bool {
    if row.block.extras[row.row] == 0 { return false }
    return Extras(row.block.extras(at: row.row))?.syncIdentifier.isEmpty == false
  }
}

/// The live objects of one subject in a snapshot.
package struct StoredObjects {
  let reader: RowReader
  let snapshot: Snapshot
  private let subject: Symbol
  /// A lease that keeps the subject's symbol from being reused.
  private let names: SymbolLease
  /// A handler for the error of each unreadable object.
  ///
  /// If set, ``forEach(_:_:)`` skips such objects instead of throwing.
  package var onUnreadable: ((StoreError) -> Void)?

  /// Creates a snapshot of the objects of a store's subject.
  ///
  /// - Throws: ``HKError`` with `errorAuthorizationDenied` if the store's handle has an
  ///   authorization policy, and the errors of opening the store.
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

  /// Reads a subject's objects in the given snapshot.
  package init(_ reader: RowReader, _ snapshot: Snapshot, subject: Symbol = 0) {
    self.reader = reader
    self.snapshot = snapshot
    self.subject = subject
    names = SymbolLease(snapshot.symbols)
  }

  /// The identifiers of the types that may have objects, in ascending order.
  package var types: [String] {
    let symbols = snapshot.symbols
    return snapshot.series(of: subject).filter { !symbols.isChildType($0.type) }
      .map { symbols.text($0.type) }.sorted()
  }

  /// Calls a function with the objects of a type in order of start.
  ///
  /// Memory use does not depend on their number.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if an object cannot be read and
  ///   ``onUnreadable`` is not set, and the errors of the function.
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

  /// Returns the object with an identifier, or nil if there is none.
  ///
  /// If ``onUnreadable`` is set, also returns nil for an object that cannot be read.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
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

  private func object(_ row: Row, _ block: inout StoredBlock?) -> StoredObject {
    if block?.block !== row.block {
      block = reader.type(row.block.type).map { StoredBlock(row.block, $0, reader) }
    }
    return StoredObject(
      row: row, sample: block.map { HKSample.make(block: $0, row: Int32(row.row)) })
  }

  /// Calls a function with the child rows of an object, including attachments, in commit order.
  ///
  /// Holds one row in memory at a time.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func forEachChild(
    of object: StoredObject, _ body: (StoredSample) throws -> Void
  ) throws {
    let row = object.row
    let types = try ownedTypes(of: row)
    if types.isEmpty { return }
    var found: [(sequence: UInt64, id: Identifier)] = []
    for type in types {
      try snapshot.forEachChild(of: row, type: type) { found.append(($0.sequence, $0.id)) }
    }
    for (_, id) in found.sorted(by: { $0.sequence < $1.sequence }) {
      if let child = try snapshot.row(id) { try body(stored(child, of: row)) }
    }
  }

  /// Returns a child row for transfer into another store.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func stored(_ child: Row, of parent: Row) throws -> StoredSample {
    let symbols = snapshot.symbols
    let childType = symbols.name(child.block.type).split(separator: ChildType.mark).last ?? []
    var sample = StoredSample(
      uuid: child.id.uuid, type: symbols.text(parent.block.type),
      childType: String(decoding: childType, as: UTF8.self), start: child.start, end: child.end,
      value: child.value)
    sample.extras = [UInt8](try snapshot.extras(of: child).encoded)
    return sample
  }

  /// Returns the types of a row's possible child rows.
  ///
  /// A row without a payload can have only attachments.
  private func ownedTypes(of row: Row) throws -> [Symbol] {
    let symbols = snapshot.symbols
    let types = symbols.childTypes(of: row.block.type)
    if types.isEmpty { return [] }
    if row.block.extras[row.row] != 0, try snapshot.extras(of: row).payloadKind != 0 {
      return types
    }
    return types.filter { ChildType.isOfAnyParent(symbols.name($0)) }
  }

  /// Returns the number of an object's attachments.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func attachmentCount(of object: StoredObject) throws -> Int {
    let (row, symbols) = (object.row, snapshot.symbols)
    let name = ChildType.name(AttachmentPayload.childType, of: symbols.text(row.block.type))
    guard let type = symbols.find(name) else { return 0 }
    var count = 0
    try snapshot.forEachChild(of: row, type: type) { _ in count += 1 }
    return count
  }

  /// Calls a function with each chunk of points of a series.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func forEachChunk(
    of object: StoredObject, _ body: (PointChunk) throws -> Void
  ) throws {
    try forEachChunk(of: object.row, body)
  }

  /// Returns the live samples that rate the effort of a workout or of one of its activities.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func efforts(of workout: StoredObject) throws -> [(sample: UUID, activity: UUID?)] {
    try snapshot.efforts(of: workout.row).map { ($0.row.id.uuid, $0.activity?.uuid) }
  }

  /// Returns the identifiers of the live members of an object.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func members(of object: StoredObject) throws -> [UUID] {
    try reader.members(of: object.row, in: snapshot)
  }

  /// Returns the source revision that recorded an object.
  package func sourceRevision(of object: StoredObject) -> HKSourceRevision {
    reader.sourceRevision(of: object.row)
  }

  /// Returns the device that recorded an object.
  package func device(of object: StoredObject) -> HKDevice? { reader.device(of: object.row) }

  /// Returns an object's metadata.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func metadata(of object: StoredObject) throws -> [String: Any] {
    if object.row.block.extras[object.row.row] == 0 { return [:] }
    do {
      return try reader.metadata(of: object.row) ?? [:]
    } catch {
      // Plain text, written by a program that uses the engine directly, counts as no metadata.
      return [:]
    }
  }

  /// Returns the name that a symbol represents, as bytes, or an empty array for 0.
  package func name(_ symbol: UInt32) -> [UInt8] {
    symbol == 0 ? [] : snapshot.symbols.name(symbol)
  }
}
