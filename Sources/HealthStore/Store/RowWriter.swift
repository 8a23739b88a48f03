import Foundation
package import SampleLog

/// Turns samples into rows of one commit.
package struct RowWriter {
  /// What a commit did with the samples of its batch.
  package struct Outcome {
    /// Type identifiers of the samples that are new.
    package var added: [String] = []
    /// Type identifiers of the samples that were in the store already.
    package var known: [String] = []
  }

  private let database: Database
  private let symbols: SymbolTable
  private let subject: Symbol
  /// What samples get that name no source.
  private let revision: HKSourceRevision
  private var batch = Batch()
  /// Where older versions are looked up.
  private lazy var snapshot = database.snapshot()
  /// For each contained sample the correlations that contain it.
  private var memberships: [UUID: [Identifier]] = [:]
  // Samples share these few, and comparing references is all it then takes.
  private var types = SymbolsOfObjects<TypeInfo>()
  private var units = SymbolsOfObjects<UnitForm>()
  private var revisions = SymbolsOfObjects<HKSourceRevision>()
  private var devices = SymbolsOfObjects<HKDevice>()

  /// Writes into this database, as data of that subject.
  package init(_ database: Database, subject: String) {
    self.init(database, subject: subject, revision: .current)
  }

  /// Writes samples that name no source as those of a revision.
  init(_ database: Database, subject: String, revision: HKSourceRevision) {
    self.database = database
    self.revision = revision
    symbols = database.symbols
    self.subject = symbols.intern(subject)
  }

  /// Writes into this store, as data of its subject.
  ///
  /// - Throws: What opening the store throws; it must stay in use by the caller.
  package init(_ store: HKHealthStore) throws {
    self.init(try store.location.open().database, subject: store.subject)
  }

  /// How many samples wait for a commit.
  package var count: Int { batch.sampleCount }

  /// Commits what was added, all of it or nothing.
  ///
  /// - Throws: An error of the engine's.
  func save() throws { try database.commit(batch) }

  /// Commits what was added and the store does not have, all of it or nothing.
  ///
  /// - Throws: An error of the engine's; the samples are then still waiting.
  package mutating func commit() throws -> Outcome {
    batch.leavesOutKnown = true
    let known = try database.commit(batch).known
    var outcome = Outcome()
    for (index, type) in batch.rows.type.enumerated() {
      let name = symbols.text(type)
      if known.contains(index) { outcome.known.append(name) } else { outcome.added.append(name) }
    }
    batch = Batch()
    return outcome
  }

  /// Takes a sample of another store.
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
    if !sample.metadata.isEmpty {
      var entries = try Metadata.entries(sample.metadata)
      for (key, value) in entries { try value.checkFinite(for: key) }
      extras.metadata = try MetadataCoding.encode(&entries)
    }
    if sample.isCorrelation {
      let members = sample.members.map {
        CorrelationPayload.Member(id: Identifier($0.uuid), type: $0.type)
      }
      CorrelationPayload(members).add(to: &extras)
    }
    extras.memberOf = sample.memberOf.map { Identifier($0) }
    add(
      sample.uuid, symbols.intern(type), sample.start, sample.end, sample.value, sample.unit,
      sample.sourceRevision, sample.device, extras)
  }

  /// Takes objects of HealthKit's; throws when one of them cannot be saved.
  ///
  /// Samples that a correlation contains are saved with it, once.
  mutating func add(_ objects: [HKObject]) throws {
    batch.reserveCapacity(objects.count)
    let samples = try objects.map { object in
      guard let sample = object as? HKSample else {
        throw HKError.make(
          .errorInvalidArgument,
          "A \(Swift.type(of: object)) is not a sample, so it cannot be saved.")
      }
      return sample
    }
    var members: [UUID: HKSample] = [:]
    for sample in samples where sample.kind == .correlation {
      guard let correlation = sample as? HKCorrelation else { continue }
      let id = Identifier(correlation.uuid)
      for object in correlation.objects {
        members[object.uuid] = object
        memberships[object.uuid, default: []].append(id)
      }
    }
    for sample in samples {
      if !members.isEmpty { members[sample.uuid] = nil }
      try add(sample)
    }
    for sample in members.values.sorted(by: { Identifier($0.uuid) < Identifier($1.uuid) }) {
      try add(sample)
    }
  }

  private mutating func add(_ sample: HKSample) throws {
    let built = sample.materialized
    let symbols = symbols
    let type = types.symbol(of: built.sampleType.info) { symbols.intern($0.identifier) }
    let revision = built.sourceRevision ?? self.revision
    var extras = Extras()
    extras.metadata = try built.checkedMetadata ?? Self.check(built)
    if !extras.metadata.isEmpty, let identity = SyncIdentity(built.metadata, revision) {
      // It stands in front of the sync identifier, from which a NUL divides it.
      let bundle = revision.source.bundleIdentifier
      if bundle.utf8.contains(0) { throw HKInvalidSampleError.invalidBundleIdentifier(bundle) }
      extras.syncIdentifier = identity.identifier
      extras.syncVersion = identity.version
    }
    if built.kind == .correlation {
      let members = built.objects.map { object in
        CorrelationPayload.Member(
          id: Identifier(object.uuid), type: object.sampleType.identifier,
          syncIdentifier: SyncIdentity(object.metadata, object.sourceRevision)?.identifier ?? [])
      }
      CorrelationPayload(members).add(to: &extras)
    }
    if !memberships.isEmpty, let owners = memberships[built.uuid] { extras.memberOf = owners }
    if !extras.syncIdentifier.isEmpty {
      // What replaces a member takes its place.
      let key = SeriesKey(subject: subject, type: type)
      if let old = try snapshot.row(key, syncIdentifier: extras.syncIdentifier) {
        let before = try snapshot.extras(of: old)
        extras.memberOf += before.memberOf.filter { !extras.memberOf.contains($0) }
      }
    }
    add(
      built.uuid, type, built.startDate, built.endDate,
      built.quantity?.value ?? Double(built.categoryValue), built.quantity?.unit, revision,
      built.device, extras)
  }

  /// Throws when the sample's type does not allow its fields; returns its metadata's binary form.
  private static func check(_ built: BuiltSample) throws -> [UInt8] {
    let type = built.sampleType.identifier
    guard built.kind != .other else {
      throw HKError.make(
        .errorInvalidArgument, "Samples of \(type) cannot be saved by this version.")
    }
    guard built.quantity != nil || !built.kind.isQuantity else {
      throw HKError.make(.errorInvalidArgument, "A sample of \(type) needs a quantity.")
    }
    return try built.check()
  }

  private mutating func add(
    _ id: UUID, _ type: Symbol, _ start: Date, _ end: Date, _ value: Double, _ unit: HKUnit?,
    _ revision: HKSourceRevision, _ device: HKDevice?, _ extras: Extras
  ) {
    let symbols = symbols
    batch.add(
      subject: subject, type: type, id: Identifier(id),
      start: start.timeIntervalSinceReferenceDate, end: end.timeIntervalSinceReferenceDate,
      value: value,
      unit: unit.map { units.symbol(of: $0.form) { symbols.intern($0.string) } } ?? 0,
      source: revisions.symbol(of: revision) { symbols.intern($0.storedBytes) },
      device: device.map { devices.symbol(of: $0) { symbols.intern($0.storedBytes) } } ?? 0,
      extras: batch.number(ofExtras: extras.encoded))
  }
}
