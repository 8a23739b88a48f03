import Foundation
package import SampleLog

/// Turns samples into rows of one commit.
///
/// Not copyable: a copy takes references to some fifty collections and objects, and reading one
/// property of a writer that a class has was enough to make one.
package struct RowWriter: ~Copyable {
  /// What a commit did with the samples of its batch.
  package struct Outcome {
    /// Type identifiers of the samples that are new.
    package var added: [String] = []
    /// Type identifiers of the samples that were in the store already.
    package var known: [String] = []
    /// How many of the added ones were left out, because the store has the same or a later version.
    package var superseded = 0
    /// Type identifiers of those of them that were imported.
    package var supersededTypes: [String] = []
  }

  private let database: Database
  /// The health store that it writes into, if it is for one.
  private var store: OpenStore?
  package let symbols: SymbolTable
  package private(set) var subject: Symbol
  /// What samples get that name no source.
  let revision: HKSourceRevision
  var batch = Batch()
  /// What rows of other stores name.
  var stored = StoredNames()
  /// The snapshot of the last look-up; nil before the first one after a commit.
  private var pinned: Snapshot?
  /// The snapshot in which older versions and identifiers are looked up.
  private var snapshot: Snapshot {
    mutating get {
      if let pinned { return pinned }
      let newest = database.snapshot()
      pinned = newest
      return newest
    }
  }
  /// For each contained sample the correlations that contain it.
  private var memberships: [UUID: [Identifier]] = [:]
  /// The imported samples of the batch that have a sync identifier, with their types.
  private var versioned: [(id: Identifier, type: String)] = []
  // Samples share these few, and comparing references is all it then takes.
  private var types = SymbolsOfObjects<TypeInfo>()
  private var units = SymbolsOfObjects<UnitForm>()
  private var revisions = SymbolsOfObjects<HKSourceRevision>()
  private var devices = SymbolsOfObjects<HKDevice>()

  /// Writes into this database, as data of that subject.
  package init(_ database: Database, subject: String) {
    self.init(database, subject: subject, revision: .current)
  }

  /// Writes samples that name no source as those of a revision, looking up others in a snapshot,
  /// the newest when there is none.
  init(
    _ database: Database, subject: String, revision: HKSourceRevision, snapshot: Snapshot? = nil
  ) {
    self.database = database
    self.revision = revision
    symbols = database.symbols
    self.subject = symbols.intern(subject)
    pinned = snapshot
  }

  /// Writes into this store, as data of its subject.
  ///
  /// - Throws: What opening the store throws; it must stay in use by the caller.
  package init(_ store: HKHealthStore) throws {
    let open = try store.location.open()
    self.init(open.database, subject: store.subject)
    self.store = open
  }

  /// Writes what is added from now on as data of a subject.
  package mutating func use(subject: String) { self.subject = symbols.intern(subject) }

  /// How many samples and rows of theirs wait for a commit.
  package var count: Int { batch.sampleCount }

  /// Commits what was added and the store does not have, all of it or nothing.
  ///
  /// - Throws: An error of the engine's, and the samples are then still waiting; or one of the
  ///   store's host, after which they are in the store.
  package mutating func commit() throws -> Outcome {
    try store?.checkWritable()
    batch.leavesOutKnown = true
    // A snapshot keeps memory and files of the store.
    pinned = nil
    let result = try database.commit(batch)
    let known = result.known
    var outcome = Outcome()
    outcome.superseded = result.superseded
    // Rows have few types; those of rows that belong to others have no name here.
    var names: [Symbol: String?] = [:]
    for (index, type) in batch.rows.type.enumerated() {
      let text: String?
      if let found = names[type] {
        text = found
      } else {
        text = symbols.isOwnedType(type) ? nil : symbols.text(type)
        names.updateValue(text, forKey: type)
      }
      guard let name = text else { continue }
      if known.contains(index) { outcome.known.append(name) } else { outcome.added.append(name) }
    }
    if result.superseded > 0 {
      outcome.supersededTypes = try versioned.compactMap { id, type in
        try snapshot.row(id) == nil ? type : nil
      }
    }
    versioned = []
    batch = Batch()
    try store?.confirm()
    return outcome
  }

  /// Returns the value of a sample that the store has, with its unit; nil if it has no such sample.
  ///
  /// - Throws: An error of the engine's.
  package mutating func number(
    of id: UUID
  ) throws -> (value: Double, unit: HKUnit?)? {
    guard let row = try snapshot.row(Identifier(id)) else { return nil }
    let unit = row.block.unit[row.row]
    return (row.value, unit == 0 ? nil : HKUnit.named(symbols.text(unit)))
  }

  /// Whether the store has a sample with an identifier.
  ///
  /// - Throws: An error of the engine's.
  package mutating func contains(_ id: UUID) throws -> Bool {
    try snapshot.row(Identifier(id)) != nil
  }

  /// Whether the store never had a sample of the subject.
  package mutating func isNewSubject() -> Bool { snapshot.series(of: subject).isEmpty }

  /// Takes a sample of another store; an older version of its sync identifier goes, as when an
  /// object is saved.
  ///
  /// - Throws: ``HKInvalidSampleError`` when no store may hold it, or an error of the engine's.
  package mutating func add(_ sample: ImportedSample) throws {
    let type = sample.type
    let rule = try stored.rule(of: type)
    try rule.check(
      start: sample.start.timeIntervalSinceReferenceDate,
      end: sample.end.timeIntervalSinceReferenceDate, value: sample.value, unit: sample.unit)
    var extras = Extras()
    if !sample.metadata.isEmpty { extras.metadata = try MetadataCoding.encode(sample.metadata) }
    var payload = sample.payload
    if payload == nil, sample.isCorrelation { payload = CorrelationPayload(sample.members) }
    extras.memberOf = sample.memberOf.map { Identifier($0) }
    var owned = sample.owned
    let symbol = stored.symbol(ofType: type, in: symbols)
    if let identity = sample.syncIdentity {
      guard identity.identifier.count <= StoreLimit.syncIdentifierBytes.maximum else {
        throw HKInvalidSampleError.invalidContents(
          type: type, reason: "its sync identifier is too long.")
      }
      try replaceOlder(
        than: identity, of: sample.sourceRevision, symbol, &extras, &payload, &owned)
      versioned.append((Identifier(sample.uuid), type))
    }
    payload?.add(to: &extras)
    try rule.check(payload: extras.payloadKind, extras.payload)
    add(
      sample.uuid, symbol, sample.start, sample.end,
      sample.payload?.rowValue ?? sample.value, sample.unit, sample.sourceRevision, sample.device,
      extras)
    add(owned, ownedBy: Identifier(sample.uuid), of: type, start: sample.start, end: sample.end)
    addLinks(of: sample)
  }

  /// Adds what relates a workout to other samples.
  private mutating func addLinks(of sample: ImportedSample) {
    let type = sample.type
    for member in sample.linked {
      // Each in a row that its identifier names, so that those are added that are new.
      let (id, number) = (Identifier(sample.uuid), Identifier(member.uuid).low)
      add(
        WorkoutLinksPayload([member]),
        as: Identifier(ownedBy: id, role: WorkoutLinksPayload.role, number: number), value: 0,
        ownedBy: id, of: type, start: sample.start, end: sample.end)
    }
    for (effort, activity) in sample.efforts {
      let (id, number) = (Identifier(sample.uuid), Identifier(effort.uuid).low)
      add(
        WorkoutEffortPayload(effort.asMember, activity),
        as: Identifier(ownedBy: id, role: WorkoutEffortPayload.role, number: number), value: 0,
        ownedBy: id, of: type, start: sample.start, end: sample.end)
    }
  }

  /// Has a sample replace the version of its sync identifier that the store has, if that is older,
  /// and take its place in correlations and workouts.
  private mutating func replaceOlder(
    than identity: SyncIdentity, of revision: HKSourceRevision, _ type: Symbol,
    _ extras: inout Extras, _ payload: inout (any SamplePayload)?,
    _ owned: inout [any OwnedPayload]
  ) throws {
    // It stands in front of the sync identifier, from which a NUL divides it.
    let bundle = revision.source.bundleIdentifier
    if bundle.utf8.contains(0) { throw HKInvalidSampleError.invalidBundleIdentifier(bundle) }
    extras.syncIdentifier = identity.identifier
    extras.syncVersion = identity.version
    let key = SeriesKey(subject: subject, type: type)
    guard let old = try snapshot.row(key, syncIdentifier: extras.syncIdentifier) else { return }
    // What replaces a member takes its place.
    let before = try snapshot.extras(of: old)
    extras.memberOf += before.memberOf.filter { !extras.memberOf.contains($0) }
    if before.syncVersion < extras.syncVersion {
      owned += try payload?.inherit(from: old, in: snapshot) ?? []
    }
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
    for sample in samples where sample.sampleKind == .correlation {
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
    var payload: (any SamplePayload)?
    var owned: [any OwnedPayload] = []
    if let contents = built.contents { (payload, owned) = (contents.payload, contents.owned) }
    if built.kind == .correlation {
      payload = CorrelationPayload(built.objects.map { Member($0, revision: revision) })
    }
    if !memberships.isEmpty, let owners = memberships[built.uuid] { extras.memberOf = owners }
    if !extras.metadata.isEmpty, let identity = SyncIdentity(built.metadata, revision) {
      try replaceOlder(than: identity, of: revision, type, &extras, &payload, &owned)
    }
    if built.kind == .workout {
      let links = (built.contents?.owned ?? []).compactMap { $0 as? WorkoutLinksPayload }
      let isMarked = owned.contains { $0 is WorkoutRecountPayload }
      if try !depend(on: links), !isMarked { owned.append(WorkoutRecountPayload()) }
    }
    payload?.add(to: &extras)
    add(
      built.uuid, type, built.startDate, built.endDate,
      built.quantity?.value ?? payload?.rowValue ?? Double(built.categoryValue),
      built.quantity?.unit, revision, built.device, extras)
    if !owned.isEmpty {
      add(
        owned, ownedBy: Identifier(built.uuid), of: built.sampleType.identifier,
        start: built.startDate, end: built.endDate)
    }
  }

  /// Adds rows that belong to a sample of a type and time, which is in the batch or the store.
  ///
  /// The first of each role has the number 0 as its value, the next 1, and so on, and an identifier
  /// that the owner's and the number decide.
  package mutating func add(
    _ owned: [any OwnedPayload], ownedBy owner: Identifier, of type: String, start: Date, end: Date
  ) {
    var counts: [String: UInt64] = [:]
    for payload in owned {
      let role = Swift.type(of: payload).role
      let number = counts[role, default: 0]
      counts[role] = number + 1
      add(
        payload, as: Identifier(ownedBy: owner, role: role, number: number), value: Double(number),
        ownedBy: owner, of: type, start: start, end: end)
    }
  }

  /// Adds a row that belongs to a sample of a type and time, which is in the batch or the store.
  package mutating func add(
    _ payload: any OwnedPayload, as id: Identifier, value: Double, ownedBy owner: Identifier,
    of type: String, start: Date, end: Date
  ) {
    var extras = Extras()
    extras.memberOf = [owner]
    payload.add(to: &extras)
    batch.add(
      subject: subject,
      type: symbols.intern(OwnedType.name(Swift.type(of: payload).role, of: type)), id: id,
      start: start.timeIntervalSinceReferenceDate, end: end.timeIntervalSinceReferenceDate,
      value: payload.value(number: value, start: start, end: end),
      extras: batch.number(ofOwnExtras: extras.encoded))
  }

  /// Deletes a row.
  package mutating func delete(_ id: Identifier) { batch.delete(id) }

  /// Keeps something about the subject, under a name; an empty value removes it.
  package mutating func set(_ name: String, to value: [UInt8]) {
    batch.set(setting(name), to: value)
  }

  /// What is kept about the subject under a name; nil for nothing.
  package func value(_ name: String) -> [UInt8]? { database.setting(setting(name)) }

  private func setting(_ name: String) -> [UInt8] {
    SubjectSetting.person.prefix(symbols.name(subject)) + Array(name.utf8)
  }

  /// Has the batch hold only as long as samples that it links to a workout are there.
  ///
  /// - Returns: Whether all are there, or come with the batch, in the version that is linked.
  mutating func depend(on links: [WorkoutLinksPayload]) throws -> Bool {
    if links.isEmpty { return true }
    var areThere = true
    let new = Set(batch.rows.id)
    for member in links.lazy.flatMap(\.members) {
      batch.dependencies.insert(member.id)
      if try snapshot.row(member.id) != nil { continue }
      if !new.contains(member.id) {
        areThere = false
      } else if !member.syncIdentifier.isEmpty {
        let key = SeriesKey(subject: subject, type: symbols.intern(member.type))
        // It may be older than what is there.
        if try snapshot.row(key, syncIdentifier: member.syncIdentifier) != nil { areThere = false }
      }
    }
    return areThere
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
    // Most have no payload, and asking nothing what it is costs more than all else here.
    if let payload = built.payload, let series = payload as? any SeriesPayload,
      built.contents?.owned.isEmpty ?? true
    {
      throw HKError.make(
        .errorInvalidArgument,
        "A sample of \(type) comes without its \(series.count) points; build it where they are.")
    }
    guard built.payload != nil || built.kind.payload?.isRequired != true else {
      throw HKError.make(.errorInvalidArgument, "A sample of \(type) needs its contents.")
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
