import Foundation
package import SampleLog

/// Writes imported samples in batches and leaves out those that the store has already.
package struct RowWriter {
  /// What a commit did with the samples of its batch.
  package struct Outcome {
    /// Type identifiers of the samples that are new.
    package var added: [String] = []
    /// Type identifiers of the samples that were in the store already.
    package var known: [String] = []
  }

  private struct Row {
    var id: Identifier
    var type: Symbol
    var start: Double
    var end: Double
    var value: Double
    var unit: Symbol
    var source: Symbol
    var device: Symbol
    var extras: [UInt8]
  }

  private let database: Database
  private let subject: Symbol
  private var rows: [Row] = []
  // Objects that are the same one after another, which they mostly are, are encoded once.
  private var lastSource: (revision: HKSourceRevision, symbol: Symbol)?
  private var lastDevice: (device: HKDevice, symbol: Symbol)?

  /// Writes into this database, as data of that subject.
  package init(_ database: Database, subject: String) {
    self.database = database
    self.subject = database.symbols.intern(subject)
  }

  /// Writes into this store, as data of its subject.
  ///
  /// - Throws: What opening the store throws; it must stay in use by the caller.
  package init(_ store: HKHealthStore) throws {
    self.init(try store.location.open().database, subject: store.subject)
  }

  /// How many samples wait for ``commit()``.
  package var count: Int { rows.count }

  /// Takes a sample.
  ///
  /// - Throws: ``HKInvalidSampleError`` when its dates, value or metadata cannot be stored.
  package mutating func add(_ sample: ImportedSample) throws(HKInvalidSampleError) {
    let type = sample.type
    let start = sample.start.timeIntervalSinceReferenceDate
    let end = sample.end.timeIntervalSinceReferenceDate
    guard start.isFinite, end.isFinite else { throw .dateNotFinite(type: type) }
    guard start <= end else { throw .endBeforeStart(type: type) }
    guard sample.value.isFinite else { throw .valueNotFinite(type: type) }
    var extras = Extras()
    for (key, value) in sample.metadata { try MetadataValue(value)?.checkFinite(for: key) }
    if !sample.metadata.isEmpty { extras.metadata = try MetadataCoding.encode(sample.metadata) }
    if sample.isCorrelation {
      let payload = CorrelationPayload(
        sample.members.map { (Identifier($0.uuid), $0.type) }.sorted { $0.0 < $1.0 })
      extras.payloadKind = CorrelationPayload.kind
      extras.payload = payload.encoded
    }
    extras.memberOf = sample.memberOf.map { Identifier($0) }
    rows.append(
      Row(
        id: Identifier(sample.uuid), type: database.symbols.intern(type), start: start, end: end,
        value: sample.value, unit: sample.unit.map { database.symbols.intern($0.unitString) } ?? 0,
        source: symbol(of: sample.sourceRevision),
        device: sample.device.map { symbol(of: $0) } ?? 0, extras: extras.encoded))
  }

  /// Commits what was added, all of it or nothing.
  ///
  /// - Throws: An error of the engine's; the samples are then still waiting.
  package mutating func commit() throws -> Outcome {
    var outcome = Outcome()
    let snapshot = database.snapshot()
    var batch = Batch()
    batch.reserveCapacity(rows.count)
    var seen: Set<Identifier> = []
    for row in rows {
      let type = database.symbols.text(row.type)
      guard seen.insert(row.id).inserted, try snapshot.row(row.id) == nil else {
        outcome.known.append(type)
        continue
      }
      outcome.added.append(type)
      batch.add(
        subject: subject, type: row.type, id: row.id, start: row.start, end: row.end,
        value: row.value, unit: row.unit, source: row.source, device: row.device,
        extras: row.extras.isEmpty ? 0 : batch.number(ofExtras: row.extras))
    }
    if !batch.isEmpty { try database.commit(batch) }
    rows.removeAll(keepingCapacity: true)
    return outcome
  }

  private mutating func symbol(of revision: HKSourceRevision) -> Symbol {
    if let lastSource, lastSource.revision === revision { return lastSource.symbol }
    let symbol = database.symbols.intern(revision.storedBytes)
    lastSource = (revision, symbol)
    return symbol
  }

  private mutating func symbol(of device: HKDevice) -> Symbol {
    if let lastDevice, lastDevice.device === device { return lastDevice.symbol }
    let symbol = database.symbols.intern(device.storedBytes)
    lastDevice = (device, symbol)
    return symbol
  }
}
