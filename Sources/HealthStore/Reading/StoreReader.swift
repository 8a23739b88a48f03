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
  var calendar: Calendar { ownCalendar ?? .current }
  private let ownCalendar: Calendar?
  /// The samples that may be read, or nil for all.
  private(set) var access: ReadAccess?
  /// A lease on the symbols of requested names.
  ///
  /// A query for a subject without data adds no permanent symbols.
  let names: SymbolLease

  /// Creates a reader restricted by a policy, or unrestricted without one.
  ///
  /// Without a calendar, days are those of the calendar that is current when they are computed.
  init(
    _ store: OpenStore, subject: String, policy: AuthorizationPolicy?, calendar: Calendar? = nil
  ) {
    self.store = store
    access = policy.map { ReadAccess($0, store.reader) }
    ownCalendar = calendar
    names = SymbolLease(store.database.symbols)
    self.subject = names.symbol(subject)
  }

  /// Returns the subject's series of a type.
  ///
  /// Its symbols are valid during the lifetime of the reader.
  func key(_ type: HKObjectType) -> SeriesKey {
    SeriesKey(
      subject: subject, type: names.symbol(of: type.info) { Array(type.identifier.utf8) })
  }

  func key(_ type: String) -> SeriesKey { key(Array(type.utf8)) }

  func key(_ type: [UInt8]) -> SeriesKey {
    SeriesKey(subject: subject, type: names.symbol(type))
  }

  /// Returns an equivalent reader for another subject.
  func reading(subject: Symbol) -> StoreReader { StoreReader(self, subject: subject) }

  private init(_ other: StoreReader, subject: Symbol) {
    store = other.store
    ownCalendar = other.ownCalendar
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
    let database = store.database
    var plan: [(key: SeriesKey, type: HKSampleType)] = []
    var filters: [(key: SeriesKey, value: RowFilter)] = []
    var readsWorkouts = false
    for one in wanted.count > 1 ? Self.united(wanted) : wanted {
      let type = one.type
      var condition = one.condition
      let asksForWorkout = condition.asksForWorkout
      if asksForWorkout {
        let snapshot = snapshot ?? database.snapshot()
        condition = try condition.resolvingWorkouts {
          try WorkoutMembers.condition(
            $0, of: self.key(type), on: type, store.reader, snapshot, through: end,
            after: anchor)
        }
        readsWorkouts = true
      }
      try access?.check(type)
      let filter: RowFilter? =
        if case .always = condition {
          RowFilter()
        } else {
          ConditionPlanner.filter(condition, type, store.reader, access) { database.snapshot() }
        }
      // Keeps the type, because its samples may be added to a workout later.
      guard var filter = filter ?? (asksForWorkout ? .nothing : nil) else { continue }
      access?.limit(&filter, to: type)
      let key = self.key(type)
      plan.append((key, type))
      filters.append((key, filter))
    }
    var result = QueryPlan(types: plan, selection: SeriesSelection(filters), names: names)
    if readsWorkouts {
      result.membership = QueryPlan.Membership(
        wanted: wanted,
        links: [WorkoutMembers.linksType, WorkoutEffortPayload.type].map { key($0) })
    }
    return result
  }

  /// Returns each type once, with the union of its conditions.
  private static func united(
    _ wanted: [(type: HKSampleType, condition: SampleCondition)]
  ) -> [(type: HKSampleType, condition: SampleCondition)] {
    var types: [HKSampleType] = []
    var conditions: [HKSampleType: [SampleCondition]] = [:]
    for (type, condition) in wanted {
      if conditions[type] == nil { types.append(type) }
      conditions[type, default: []].append(condition)
    }
    return types.map { ($0, SampleCondition.any(conditions[$0] ?? []).simplified) }
  }

  /// Returns matching samples in the given order, or by start date if no order is given.
  ///
  /// A limit of 0 or less means no limit.
  func samples<Sample: HKSample>(
    _ plan: QueryPlan, order: SampleOrder, limit: Int, in snapshot: Snapshot? = nil
  ) throws -> [Sample] {
    let found = try samples(plan, order: order, limit: limit, in: snapshot) { $0 is Sample.Type }
    return found.ofSameLayout()
  }

  /// Returns matching samples of the classes that a function accepts.
  ///
  /// Not generic, because the compiler does not specialise generic functions that are called from a
  /// program's own generic code.
  func samples(
    _ plan: QueryPlan, order: SampleOrder, limit: Int, in snapshot: Snapshot? = nil,
    _ isWanted: (HKSample.Type) -> Bool
  ) throws -> [HKSample] {
    try check()
    guard !plan.types.isEmpty else { return [] }
    let snapshot = snapshot ?? store.database.snapshot()
    let limit = limit > 0 ? limit : nil
    if let rowOrder = order.rowOrder {
      let rows = try snapshot.select(plan.selection, order: rowOrder, limit: limit)
      return try samples(rows, snapshot, isWanted)
    }
    // Sorting takes longer than reading and may call the program's own code.
    try InlineWork.refuse()
    let rows = try snapshot.select(plan.selection, order: .start(ascending: true))
    // The sort is stable, so equal samples stay in order of start.
    let sorted = try samples(rows, snapshot, isWanted).sorted {
      order.compare($0, $1) == .orderedAscending
    }
    guard let limit, limit < sorted.count else { return sorted }
    return Array(sorted[..<limit])
  }

  private func samples(
    _ rows: RowSelection, _ snapshot: Snapshot, _ isWanted: (HKSample.Type) -> Bool
  ) throws -> [HKSample] {
    let blocks = rows.blocks.map { block in
      stored(block).flatMap { isWanted($0.kind.sampleClass) ? $0 : nil }
    }
    let entries = rows.entries
    try check(entries, blocks, snapshot)
    let piece = Self.pieceSize
    // Creating an object costs as much as decoding it, so large results are created in parallel.
    guard entries.count > piece, !blocks.contains(where: { $0 == nil }) else {
      return Self.samples(entries, blocks)
    }
    let known = blocks.compactMap { $0 }
    let fence = ThreadFence()
    defer { fence.barrier() }
    return [HKSample](unsafeUninitializedCapacity: entries.count) { samples, count in
      count = entries.count
      nonisolated(unsafe) let samples = samples
      DispatchQueue.concurrentPerform(iterations: (count + piece - 1) / piece) { number in
        defer { fence.barrier() }
        for index in number * piece..<min((number + 1) * piece, entries.count) {
          let entry = entries[index]
          samples.initializeElement(
            at: index, to: HKSample.make(block: known[Int(entry.block)], row: entry.row))
        }
      }
    }
  }

  /// Creates the samples of rows, leaving out rows of absent blocks.
  private static func samples(
    _ entries: [RowSelection.Entry], _ blocks: [StoredBlock?]
  ) -> [HKSample] {
    [HKSample](unsafeUninitializedCapacity: entries.count) { samples, count in
      forEachRun(entries[...], blocks) { block, rows in
        for entry in rows {
          samples.initializeElement(at: count, to: HKSample.make(block: block, row: entry.row))
          count += 1
        }
      }
    }
  }

  /// Calls a function with consecutive rows of the same block, except absent ones.
  ///
  /// Retains each block once per run.
  private static func forEachRun(
    _ entries: ArraySlice<RowSelection.Entry>, _ blocks: [StoredBlock?],
    _ body: (StoredBlock, ArraySlice<RowSelection.Entry>) throws -> Void
  ) rethrows {
    var rest = entries
    while let number = rest.first?.block {
      let run = rest.prefix { $0.block == number }
      if let block = blocks[Int(number)] { try body(block, run) }
      rest = rest[run.endIndex...]
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
    let piece = Self.pieceSize
    if entries.count <= piece {
      try check(entries[...], blocks, snapshot)
    } else {
      _ = try parallelMap((entries.count + piece - 1) / piece) { number in
        try check(
          entries[number * piece..<min((number + 1) * piece, entries.count)], blocks, snapshot)
      }
    }
    try WorkoutAdditions.join(
      entries.lazy.map { (blocks[Int($0.block)], $0.row) }, store.reader, in: snapshot
    ) {
      blocks.contains { $0?.kind == .workout }
    }
  }

  private func check(
    _ entries: ArraySlice<RowSelection.Entry>, _ blocks: [StoredBlock?], _ snapshot: Snapshot
  ) throws {
    var check = RowCheck(store.reader)
    try Self.forEachRun(entries, blocks) { block, rows in
      for entry in rows {
        try check.check(block.block, Int(entry.row), in: snapshot)
        if block.kind == .correlation {
          try block.readMembers(of: entry.row, store.reader, in: snapshot, access)
        }
      }
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
    if let joined { changes.added = try samples(joined, page.snapshot) { _ in true } }
    let rows = page.changes.rows
    let blocks = rows.blocks.map { stored($0) }
    try check(rows.entries, blocks, page.snapshot)
    changes.added.reserveCapacity(changes.added.count + rows.count)
    Self.forEachRun(rows.entries[...], blocks) { block, rows in
      switch block.block.kind {
      case .sample:
        for entry in rows { changes.added.append(HKSample.make(block: block, row: entry.row)) }
      case .deletion:
        for entry in rows {
          changes.deleted.append(
            HKDeletedObject(
              uuid: block.uuid(at: entry.row), metadata: block.metadata(at: entry.row)))
        }
      }
    }
    return changes
  }

  func check() throws {
    if store.isClosed { throw StoreError.closed }
  }
}

extension [HKSample] {
  /// Casts the array to the subclass of all its elements.
  ///
  /// Copies nothing, because arrays of object references have the same layout.
  func ofSameLayout<Sample: HKSample>() -> [Sample] { unsafeBitCast(self, to: [Sample].self) }
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
