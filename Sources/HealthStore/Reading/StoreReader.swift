import Dispatch
import Foundation
import SampleLog

/// Reads one subject's samples from a store.
///
/// Methods block the calling thread.
struct StoreReader: Sendable {
  let store: OpenStore
  let subject: Symbol
  /// The calendar for days, unless the query specifies one.
  let calendar: Calendar
  /// The samples that may be read, or nil for all.
  private(set) var access: ReadAccess?
  /// A lease on the symbols of requested names.
  ///
  /// A query for a subject without data adds no permanent symbols.
  let names: SymbolLease

  /// Creates a reader restricted by a policy, or unrestricted without one.
  init(
    _ store: OpenStore, subject: String, policy: AuthorizationPolicy?,
    calendar: Calendar = .current
  ) {
    self.store = store
    access = policy.map { ReadAccess($0, store.reader) }
    self.calendar = calendar
    names = SymbolLease(store.database.symbols)
    self.subject = names.symbol(subject)
  }

  /// Returns the subject's series of a type.
  ///
  /// Its symbols are valid during the lifetime of the reader.
  func key(_ type: String) -> SeriesKey { key(Array(type.utf8)) }

  func key(_ type: [UInt8]) -> SeriesKey {
    SeriesKey(subject: subject, type: names.symbol(type))
  }

  /// Returns an equivalent reader for another subject.
  func reading(subject: Symbol) -> StoreReader { StoreReader(self, subject: subject) }

  private init(_ other: StoreReader, subject: Symbol) {
    store = other.store
    calendar = other.calendar
    access = other.access
    names = other.names
    self.subject = subject
  }

  /// An equivalent reader without access restrictions.
  var unrestricted: StoreReader {
    var reader = self
    reader.access = nil
    return reader
  }

  /// Returns a plan for the union of several types and conditions.
  ///
  /// A type that occurs twice is read once, with both conditions. All queries use this method, and
  /// the plan covers only samples that may be read. Workout membership is resolved from link rows
  /// in a snapshot, by default the newest, up to a sequence number; deletions after the anchor are
  /// included.
  ///
  /// - Throws: `errorAuthorizationNotDetermined` if authorization for a type was never requested.
  func plan(
    _ wanted: [(type: HKSampleType, condition: SampleCondition)], in snapshot: Snapshot? = nil,
    through end: UInt64 = .max, after anchor: Anchor? = nil
  ) throws -> QueryPlan {
    var types: [HKSampleType] = []
    var conditions: [HKSampleType: [SampleCondition]] = [:]
    for (type, condition) in wanted {
      if conditions[type] == nil { types.append(type) }
      conditions[type, default: []].append(condition)
    }
    let database = store.database
    var plan: [SeriesKey: HKSampleType] = [:]
    var filters: [SeriesKey: RowFilter] = [:]
    var readsWorkouts = false
    for type in types {
      var condition = SampleCondition.any(conditions[type] ?? [])
      let asksForWorkout = condition.asksForWorkout
      if asksForWorkout {
        let snapshot = snapshot ?? database.snapshot()
        condition = try condition.resolvingWorkouts {
          try WorkoutMembers.condition(
            $0, of: self.key(type.identifier), on: type, store.reader, snapshot, through: end,
            after: anchor)
        }
        readsWorkouts = true
      }
      try access?.check(type)
      let filter = ConditionPlanner.filter(condition, type, store.reader, access) {
        database.snapshot()
      }
      // Keeps the type, because its samples may be added to a workout later.
      guard var filter = filter ?? (asksForWorkout ? .nothing : nil) else { continue }
      access?.limit(&filter, to: type)
      let key = self.key(type.identifier)
      plan[key] = type
      filters[key] = filter
    }
    var result = QueryPlan(types: plan, selection: SeriesSelection(filters), names: names)
    if readsWorkouts {
      result.membership = QueryPlan.Membership(
        wanted: wanted,
        links: [WorkoutMembers.linksType, WorkoutEffortPayload.type].map { key($0) })
    }
    return result
  }

  /// Returns matching samples in the given order, or by start date if no order is given.
  ///
  /// A limit of 0 or less means no limit.
  func samples<Sample: HKSample>(
    _ plan: QueryPlan, order: SampleOrder, limit: Int, in snapshot: Snapshot? = nil
  ) throws -> [Sample] {
    try check()
    guard !plan.types.isEmpty else { return [] }
    let snapshot = snapshot ?? store.database.snapshot()
    let limit = limit > 0 ? limit : nil
    if let rowOrder = order.rowOrder {
      let rows = try snapshot.select(plan.selection, order: rowOrder, limit: limit)
      return try samples(rows, snapshot)
    }
    let rows = try snapshot.select(plan.selection, order: .start(ascending: true))
    // The sort is stable, so equal samples stay in order of start.
    let sorted: [Sample] = try samples(rows, snapshot).sorted {
      order.compare($0, $1) == .orderedAscending
    }
    guard let limit, limit < sorted.count else { return sorted }
    return Array(sorted[..<limit])
  }

  private func samples<Sample: HKSample>(
    _ rows: RowSelection, _ snapshot: Snapshot
  ) throws -> [Sample] {
    let blocks = rows.blocks.map { block in
      stored(block).flatMap { $0.kind.sampleClass is Sample.Type ? $0 : nil }
    }
    let entries = rows.entries
    try check(entries, blocks, snapshot)
    let known = blocks.compactMap { $0 }
    // All rows of a block become objects of the same class, which was checked above.
    @Sendable func sample(_ block: StoredBlock, _ row: Int32) -> Sample {
      unsafeDowncast(HKSample.make(block: block, row: row), to: Sample.self)
    }
    guard known.count == blocks.count else {
      return entries.compactMap { entry in
        blocks[Int(entry.block)].map { sample($0, entry.row) }
      }
    }
    // Creating an object costs as much as decoding it, so large results are created in parallel.
    let piece = Self.pieceSize
    let fence = ThreadFence()
    defer { fence.barrier() }
    return [Sample](unsafeUninitializedCapacity: entries.count) { samples, count in
      count = entries.count
      nonisolated(unsafe) let samples = samples
      DispatchQueue.concurrentPerform(iterations: (count + piece - 1) / piece) { number in
        defer { fence.barrier() }
        for index in number * piece..<min((number + 1) * piece, entries.count) {
          let entry = entries[index]
          samples.initializeElement(at: index, to: sample(known[Int(entry.block)], entry.row))
        }
      }
    }
  }

  /// Returns a block as a source of samples, or nil if its type is unknown to HealthKit.
  private func stored(_ block: Block) -> StoredBlock? {
    store.reader.type(block.type).map { StoredBlock(block, $0, store.reader) }
  }

  /// Throws if a row cannot be decoded as a sample, and loads the contents of correlations.
  private func check(
    _ entries: [RowSelection.Entry], _ blocks: [StoredBlock?], _ snapshot: Snapshot
  ) throws {
    let (reader, piece, access) = (store.reader, Self.pieceSize, access)
    _ = try parallelMap((entries.count + piece - 1) / piece) { number in
      var check = RowCheck(reader)
      for index in number * piece..<min((number + 1) * piece, entries.count) {
        let entry = entries[index]
        guard let block = blocks[Int(entry.block)] else { continue }
        try check.check(Row(block.block, Int(entry.row)), in: snapshot)
        if block.kind == .correlation {
          try block.readMembers(of: entry.row, reader, in: snapshot, access)
        }
      }
    }
    try WorkoutAdditions.join(
      entries.lazy.map { (blocks[Int($0.block)], $0.row) }, store.reader, in: snapshot
    ) {
      blocks.contains { $0?.kind == .workout }
    }
  }

  /// The number of rows per piece.
  private static let pieceSize = 1 << 15

  /// Returns the changes after an anchor, or from the beginning for nil.
  ///
  /// A limit of 0 or less means no limit.
  func changes(
    _ plan: QueryPlan, after anchor: HKQueryAnchor?, limit: Int
  ) throws -> ObjectChanges {
    try check()
    let snapshot = store.database.snapshot()
    let anchor = anchor?.anchor ?? .beginning
    let limit = limit > 0 ? limit : nil
    let step = try next(plan, after: anchor, in: snapshot)
    return try objects(
      snapshot.changes(after: anchor, of: step.selection, limit: limit), step.joined)
  }

  /// Returns a page of the change feed as objects, preceded by samples that were added to a
  /// workout.
  func objects(_ page: ChangePage, _ joined: RowSelection? = nil) throws -> ObjectChanges {
    var changes = ObjectChanges(anchor: HKQueryAnchor(page.anchor))
    if let joined { changes.added = try samples(joined, page.snapshot) }
    let rows = page.changes.rows
    let blocks = rows.blocks.map { stored($0) }
    try check(rows.entries, blocks, page.snapshot)
    for entry in rows.entries {
      guard let block = blocks[Int(entry.block)] else { continue }
      switch rows.blocks[Int(entry.block)].kind {
      case .sample: changes.added.append(HKSample.make(block: block, row: entry.row))
      case .deletion:
        changes.deleted.append(
          HKDeletedObject(uuid: block.uuid(at: entry.row), metadata: block.metadata(at: entry.row)))
      }
    }
    return changes
  }

  func check() throws {
    if store.isClosed { throw StoreError.closed }
  }
}

extension OpenStore {
  /// Calls a function with an unrestricted reader of a subject.
  func reading<Result>(
    _ subject: String, _ body: (StoreReader) throws -> Result
  ) rethrows -> Result {
    let reader = StoreReader(self, subject: subject, policy: nil)
    return try withExtendedLifetime(reader) { try body(reader) }
  }
}

/// A page of the change feed as objects.
struct ObjectChanges: Sendable {
  var added: [HKSample] = []
  var deleted: [HKDeletedObject] = []
  /// The position to resume from.
  var anchor: HKQueryAnchor

  var isEmpty: Bool { added.isEmpty && deleted.isEmpty }
}

extension SampleOrder {
  /// The equivalent order of the storage engine, or nil if it has none.
  fileprivate var rowOrder: RowOrder? {
    guard let fields else { return nil }
    guard let first = fields.first else { return .start(ascending: true) }
    guard fields.count == 1 else { return nil }
    switch first.field {
    case .startDate: return .start(ascending: first.ascending)
    case .endDate: return .end(ascending: first.ascending)
    default: return nil
    }
  }
}
