import Foundation
package import SampleLog

/// Builds the batch of one commit from samples.
///
/// The type is not copyable, because a copy retains about fifty collections and objects, and
/// reading a property of a writer stored in a class can copy it.
package struct RowWriter: ~Copyable {
  /// The result of committing a batch.
  package struct Outcome {
    /// The type identifiers of the new samples.
    package var added: [String] = []
    /// The type identifiers of the samples that were already in the store.
    package var known: [String] = []
    /// The number of added samples that were skipped, because the store has the same or a later
    /// version.
    package var superseded = 0
    /// The type identifiers of the skipped samples that were added with a sync identifier.
    package var supersededTypes: [String] = []
  }

  let database: Database
  /// The health store to write to, if the writer was created with one.
  private var store: OpenStore?
  package let symbols: SymbolTable
  package private(set) var subject: Symbol
  /// The default source revision, for samples that do not specify one.
  let revision: HKSourceRevision
  var batch = Batch()
  /// The symbols that rows of other stores use.
  var stored = StoredNames()
  /// The snapshot of the last look-up, or nil if there was none since the last commit.
  private var pinned: Snapshot?
  /// The snapshot in which existing rows and older versions are looked up.
  var snapshot: Snapshot {
    mutating get {
      if let pinned { return pinned }
      let newest = database.snapshot()
      pinned = newest
      return newest
    }
  }
  /// The correlations that contain a sample, by the sample's identifier.
  private var memberships: [UUID: [Identifier]] = [:]
  /// The samples of the batch that have a sync identifier, with their types.
  private var versioned: [(id: Identifier, type: String)] = []
  // Most samples share a few of these objects, so comparing references finds the symbol.
  private var types = SymbolsOfObjects<TypeInfo>()
  private var units = SymbolsOfObjects<UnitForm>()
  private var revisions = SymbolsOfObjects<HKSourceRevision>()
  private var devices = SymbolsOfObjects<HKDevice>()

  /// Creates a writer for a subject's data in a database.
  package init(_ database: Database, subject: String) {
    self.init(database, subject: subject, revision: .current)
  }

  /// Creates a writer that assigns a revision to samples without a source, and looks up existing
  /// rows in a snapshot, by default the newest.
  init(
    _ database: Database, subject: String, revision: HKSourceRevision, snapshot: Snapshot? = nil
  ) {
    self.database = database
    self.revision = revision
    symbols = database.symbols
    self.subject = symbols.intern(subject)
    pinned = snapshot
  }

  /// Creates a writer for a subject's data in an open store, which the writer keeps open.
  init(_ store: OpenStore, subject: String) {
    self.init(store.database, subject: subject)
    self.store = store
  }

  /// Sets the subject of all samples added after this call.
  package mutating func use(subject: String) { self.subject = symbols.intern(subject) }

  /// The number of pending rows, including child rows of samples.
  package var count: Int { batch.sampleCount }

  /// Commits the pending rows atomically, without those that the store already has.
  ///
  /// - Throws: An error of the engine, after which the rows are still pending; or an error of the
  ///   store's delegate, after which they are committed locally.
  package mutating func commit() throws -> Outcome {
    try store?.checkWritable()
    batch.ignoresDuplicates = true
    // Release the snapshot, because it pins memory and files of the store.
    pinned = nil
    let result = try database.commit(batch)
    let known = result.known
    var outcome = Outcome()
    outcome.superseded = result.superseded
    // Rows have few distinct types. Child row types map to nil, because child rows are not counted.
    var names: [Symbol: String?] = [:]
    for (index, type) in batch.rows.type.enumerated() {
      let text: String?
      if let found = names[type] {
        text = found
      } else {
        text = symbols.isChildType(type) ? nil : symbols.text(type)
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

  /// Returns whether the store has never had a sample of the subject.
  package mutating func isNewSubject() -> Bool { snapshot.series(of: subject).isEmpty }

  /// Adds a sample with its child rows.
  ///
  /// It replaces an older version with the same sync identifier.
  ///
  /// - Throws: ``HKInvalidSampleError`` if the sample is not valid in any store, or an error of
  ///   the engine.
  package mutating func add(_ sample: IncomingSample) throws {
    let (type, id) = (sample.type, Identifier(sample.uuid))
    let start = sample.start.timeIntervalSinceReferenceDate
    let end = sample.end.timeIntervalSinceReferenceDate
    let symbols = symbols
    let symbol: Symbol
    var rule: SampleRule?
    var extras = Extras()
    if let checked = sample.checked {
      symbol = types.symbol(of: checked.type) { symbols.intern($0.identifier) }
      extras.metadata = checked.metadata
    } else {
      rule = try stored.rule(of: type)
      try rule?.check(start: start, end: end, value: sample.value, unit: sample.unit)
      if !sample.metadata.isEmpty {
        try SyncIdentity.check(sample.metadata, of: type)
        extras.metadata = try MetadataCoding.encode(sample.metadata)
      }
      symbol = stored.symbol(ofType: type, in: symbols)
    }
    var (payload, children) = (sample.payload, sample.children)
    extras.memberOf = sample.memberOf
    if let identity = sample.syncIdentity {
      guard identity.identifier.count <= StoreLimit.syncIdentifierBytes.maximum else {
        throw HKInvalidSampleError.invalidContents(
          type: type, reason: "its sync identifier is too long.")
      }
      try replaceOlder(
        than: identity, of: sample.sourceRevision, symbol, &extras, &payload, &children)
      versioned.append((id, type))
    }
    if !sample.children.isEmpty, payload is WorkoutPayload {
      let links = sample.children.compactMap { $0 as? WorkoutLinksPayload }
      let isMarked = children.contains { $0 is WorkoutRecountPayload }
      if try !depend(on: links), !isMarked { children.append(WorkoutRecountPayload()) }
    }
    payload?.add(to: &extras)
    try rule?.check(payload: extras.payloadKind, extras.payload)
    let origin = origin(sample.unit, sample.sourceRevision, sample.device)
    batch.add(
      subject: subject, type: symbol, id: id, start: start, end: end,
      value: sample.unit == nil ? payload?.rowValue ?? sample.value : sample.value,
      unit: origin.unit, source: origin.source, device: origin.device,
      extras: batch.intern(extras: extras.encoded))
    if !children.isEmpty {
      add(children, parent: id, of: type, start: sample.start, end: sample.end)
    }
    addLinks(of: sample)
  }

  /// Adds the child rows that link a workout to other samples.
  private mutating func addLinks(of sample: IncomingSample) {
    let type = sample.type
    for member in sample.linked {
      // One row per link, with a derived identifier, so that repeated imports add only new links.
      let (id, number) = (Identifier(sample.uuid), Identifier(member.uuid).low)
      add(
        WorkoutLinksPayload([member]),
        as: Identifier(childOf: id, type: WorkoutLinksPayload.childType, number: number), value: 0,
        parent: id, of: type, start: sample.start, end: sample.end)
    }
    add(
      efforts: sample.efforts.map { WorkoutEffortPayload($0.sample.asMember, $0.activity) },
      parent: Identifier(sample.uuid), of: type, start: sample.start, end: sample.end)
  }

  /// Adds the child rows of a workout for the samples that rate its effort.
  ///
  /// Their identifiers are derived, so that repeated imports and transfers add only new ratings.
  package mutating func add(
    efforts: [WorkoutEffortPayload], parent: Identifier, of type: String, start: Date, end: Date
  ) {
    for effort in efforts {
      // A sample that rates several parts of a workout has a row for each. A row's identifier does
      // not depend on the other rows, because a later import may have more of them.
      let number = effort.sample.id.low ^ (effort.activity?.low ?? 0)
      add(
        effort,
        as: Identifier(childOf: parent, type: WorkoutEffortPayload.childType, number: number),
        value: 0, parent: parent, of: type, start: start, end: end)
    }
  }

  /// Sets a sample's sync identity.
  ///
  /// If the store has an older version under it, the sample's payload inherits from it, for example
  /// the statistics and child rows of a workout. After the commit, references to that version in
  /// correlations and workouts resolve to the sample.
  private mutating func replaceOlder(
    than identity: SyncIdentity, of revision: HKSourceRevision, _ type: Symbol,
    _ extras: inout Extras, _ payload: inout (any SamplePayload)?,
    _ children: inout [any ChildPayload]
  ) throws {
    // The bundle identifier precedes the sync identifier, separated by a NUL.
    let bundle = revision.source.bundleIdentifier
    if bundle.utf8.contains(0) { throw HKInvalidSampleError.invalidBundleIdentifier(bundle) }
    extras.syncIdentifier = identity.identifier
    extras.syncVersion = identity.version
    let key = SeriesKey(subject: subject, type: type)
    guard let old = try snapshot.row(key, syncIdentifier: extras.syncIdentifier),
      try snapshot.extras(of: old).syncVersion < extras.syncVersion
    else { return }
    children += try payload?.inherit(from: old, in: snapshot) ?? []
  }

  /// Adds HealthKit objects, or throws if one of them cannot be saved.
  ///
  /// The members of a correlation are saved with it; a member that occurs several times is saved
  /// once.
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

  private mutating func add(_ object: HKSample) throws {
    let built = object.materialized
    var sample = IncomingSample(
      built, revision: revision, checkedMetadata: try built.checkedMetadata ?? Self.check(built))
    if !memberships.isEmpty, let parents = memberships[built.uuid] { sample.memberOf = parents }
    try add(sample)
  }

  /// Adds child rows of a sample that is in the batch or in the store.
  ///
  /// The rows of each type are numbered from 0. The number is the row's value and determines its
  /// identifier, together with the parent's identifier and the child type.
  package mutating func add(
    _ children: [any ChildPayload], parent: Identifier, of type: String, start: Date, end: Date
  ) {
    var counts: [String: UInt64] = [:]
    for payload in children {
      let childType = Swift.type(of: payload).childType
      let number = counts[childType, default: 0]
      counts[childType] = number + 1
      add(
        payload, as: Identifier(childOf: parent, type: childType, number: number),
        value: Double(number),
        parent: parent, of: type, start: start, end: end)
    }
  }

  /// Adds a child row of a sample that is in the batch or in the store.
  package mutating func add(
    _ payload: any ChildPayload, as id: Identifier, value: Double, parent: Identifier,
    of type: String, start: Date, end: Date
  ) {
    var extras = Extras()
    extras.memberOf = [parent]
    payload.add(to: &extras)
    batch.add(
      subject: subject,
      type: symbols.intern(ChildType.name(Swift.type(of: payload).childType, of: type)), id: id,
      start: start.timeIntervalSinceReferenceDate, end: end.timeIntervalSinceReferenceDate,
      value: payload.value(number: value, start: start, end: end),
      extras: batch.number(ofOwnExtras: extras.encoded))
  }

  package mutating func delete(_ id: Identifier) { batch.delete(id) }

  /// Makes the commit depend on samples that the batch links to a workout, so that it is rebuilt
  /// if one of them changes.
  ///
  /// - Returns: Whether all of them are in the store or in the batch, in the linked version.
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
        // The version in the batch may be older than the stored one.
        if try snapshot.row(key, syncIdentifier: member.syncIdentifier) != nil { areThere = false }
      }
    }
    return areThere
  }

  /// Throws if the sample's type does not allow its fields; returns the binary form of its
  /// metadata.
  private static func check(_ built: BuiltSample) throws -> [UInt8] {
    let type = built.sampleType.identifier
    guard built.kind != .other else {
      throw HKError.make(
        .errorInvalidArgument, "Samples of \(type) cannot be saved by this version.")
    }
    guard built.quantity != nil || !built.kind.isQuantity else {
      throw HKError.make(.errorInvalidArgument, "A sample of \(type) needs a quantity.")
    }
    // Most samples have no payload, and a dynamic cast of nil would be the largest cost here.
    if let payload = built.payload, let series = payload as? any SeriesPayload,
      built.contents?.children.isEmpty ?? true
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

  /// Returns the symbols of a unit, a source revision and a device; 0 for nil.
  @inline(__always)
  mutating func origin(
    _ unit: HKUnit?, _ revision: HKSourceRevision, _ device: HKDevice?
  ) -> (unit: Symbol, source: Symbol, device: Symbol) {
    let symbols = symbols
    return (
      unit.map { units.symbol(of: $0.form) { symbols.intern($0.string) } } ?? 0,
      revisions.symbol(of: revision) { symbols.intern($0.storedBytes) },
      device.map { devices.symbol(of: $0) { symbols.intern($0.storedBytes) } } ?? 0
    )
  }
}
