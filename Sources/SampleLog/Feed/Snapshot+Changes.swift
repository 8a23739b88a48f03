/// One record of the change feed.
public struct Change: Sendable {
  /// The added sample, or the deletion with the columns of the deleted sample.
  public let row: Row

  /// The change's sequence number.
  public var sequence: UInt64 { row.sequence }
  /// Whether the change adds or deletes a sample.
  public var kind: RowKind { row.kind }
}

/// Changes in commit order.
///
/// The list takes eight bytes per change in addition to their blocks.
public struct ChangeList: RandomAccessCollection, Sendable {
  /// The added samples, and the deletions with the columns of the deleted samples.
  public internal(set) var rows = RowSelection()

  /// The position of the first change, 0.
  public var startIndex: Int { 0 }
  /// The position after the last change.
  public var endIndex: Int { rows.count }

  /// The change at a position.
  ///
  /// Each access retains the change's block. ``RowSelection/forEachRow(_:)`` of ``rows`` does not.
  public subscript(position: Int) -> Change { Change(row: rows[position]) }
}

/// A page of the change feed.
public struct ChangePage: Sendable {
  /// The changes in commit order.
  public internal(set) var changes = ChangeList()
  /// The subjects that were erased since the last page, in a feed of all series.
  ///
  /// A replica must erase these subjects before it applies the page's changes. A feed of named
  /// series ends when one of their subjects is erased: reading throws
  /// ``StoreError/erased(subject:sequence:)``.
  public internal(set) var erasures: [Erasure] = []
  /// The anchor to read the next page after; no later page has changes at or before it.
  public internal(set) var anchor: Anchor
  /// Whether the limit was reached before the end of the changes.
  public internal(set) var hasMore = false
  /// The snapshot that the page was read from.
  public let snapshot: Snapshot
}

extension Snapshot {
  /// Reads the changes of some series after an anchor, with one filter for all.
  ///
  /// Equivalent to ``changes(after:of:limit:)`` with that selection.
  public func changes(
    after anchor: Anchor, in series: [Series], where filter: RowFilter = RowFilter(),
    limit: Int? = nil
  ) throws -> ChangePage {
    try changes(after: anchor, of: SeriesSelection(series, where: filter), limit: limit)
  }

  /// Reads the changes of all series after an anchor that satisfy a filter.
  ///
  /// Equivalent to ``changes(after:of:limit:)`` with that selection.
  public func changes(
    after anchor: Anchor, where filter: RowFilter = RowFilter(), limit: Int? = nil
  ) throws -> ChangePage {
    try changes(after: anchor, of: SeriesSelection(where: filter), limit: limit)
  }

  package func changes(
    after anchor: Anchor, in series: [SeriesKey]?, where filter: RowFilter = RowFilter(),
    limit: Int? = nil
  ) throws -> ChangePage {
    try changes(after: anchor, of: SeriesSelection(series, where: filter), limit: limit)
  }

  /// Reads the changes after an anchor: samples that were added and still exist, and deletions.
  ///
  /// A sample that was added and deleted after `anchor` appears only as its deletion. The filter is
  /// applied to the columns of the deleted sample.
  ///
  /// - Parameters:
  ///   - anchor: The anchor to read after, or ``Anchor/beginning`` for the retained history.
  ///   - selection: The series to read, and the filter of each.
  ///   - limit: The maximum number of changes to return, or nil for no limit.
  /// - Returns: The changes and the anchor of the next page.
  /// - Throws: ``StoreError/anchorExpired(anchor:floor:)``,
  ///   ``StoreError/anchorFromTheFuture(anchor:end:)``,
  ///   ``StoreError/notHereYet(anchor:end:)`` in a replica, ``StoreError/anchorOfAnotherStore``,
  ///   ``StoreError/invalid(_:)`` for another database's series, and
  ///   ``StoreError/erased(subject:sequence:)`` if a subject of the series was erased after
  ///   `anchor`.
  /// - Complexity: Linear in the rows of the series after the anchor, in whatever order they were
  ///   committed. A segment's commit order is computed once and cached.
  public func changes(
    after anchor: Anchor, of selection: SeriesSelection, limit: Int? = nil
  ) throws -> ChangePage {
    try selection.check(symbols)
    let anchor = try check(anchor)
    try checkNotErased(selection.series, after: anchor)
    let initialLoadEnd = anchor.sequence == 0 ? end : anchor.initialLoadEnd
    let page = ChangePage(
      anchor: Anchor(
        sequence: anchor.sequence, initialLoadEnd: initialLoadEnd, horizon: end,
        origin: identity.origin),
      snapshot: self)
    // Most readers are already at the end.
    if anchor.sequence >= end { return page }
    var reader = ChangeReader(page, selection, limit: limit ?? .max)
    try reader.read()
    return reader.page
  }

  /// Validates an anchor of this store's history and converts it to the current epoch.
  ///
  /// - Throws: The errors that ``changes(after:of:limit:)`` throws for an anchor.
  /// - Complexity: O(1), or O(e) for an anchor from before the store was restored *e* times.
  public func check(_ anchor: Anchor) throws -> Anchor {
    if anchor.horizon > end, identity.mayReach(anchor) {
      throw StoreError.notHereYet(anchor: anchor.horizon, end: end)
    }
    let anchor = try identity.resolve(anchor)
    guard anchor.horizon <= end else {
      throw StoreError.anchorFromTheFuture(anchor: anchor.horizon, end: end)
    }
    guard anchor.sequence == 0 || max(anchor.sequence, anchor.initialLoadEnd) >= floor else {
      throw StoreError.anchorExpired(anchor: anchor.sequence, floor: floor)
    }
    return anchor
  }
}

/// A reader of one page of changes.
private struct ChangeReader {
  let snapshot: Snapshot
  let selection: SeriesSelection
  let limit: Int
  /// The sequence number to read after.
  let start: UInt64
  var page: ChangePage
  /// The sequence number of the page's last change.
  private var last: UInt64
  private var rows: [Int32] = []
  private var memTableBlocks: [ObjectIdentifier: UInt32] = [:]
  private let isFiltered: Bool
  private let hasErasures: Bool

  init(_ page: ChangePage, _ selection: SeriesSelection, limit: Int) {
    self.page = page
    snapshot = page.snapshot
    self.selection = selection
    self.limit = limit
    start = page.anchor.sequence
    last = start
    isFiltered = selection.isFiltered
    hasErasures = !snapshot.erasures.isEmpty
  }

  mutating func read() throws {
    for segment in snapshot.segments where segment.header.last > start {
      try read(segment)
      if page.hasMore { return finish(at: last) }
    }
    for memTable in snapshot.memTables {
      try read(memTable)
      if page.hasMore { return finish(at: last) }
    }
    finish(at: snapshot.end)
  }

  /// Advances the page's anchor and adds the erasures up to it.
  private mutating func finish(at sequence: UInt64) {
    if selection.series == nil {
      // An initial load has read no data of subjects that were erased before it began.
      let seen = max(start, page.anchor.initialLoadEnd)
      page.erasures = snapshot.erasures.values
        .filter { seen < $0.sequence && $0.sequence <= sequence }
        .sorted { $0.sequence < $1.sequence }
    }
    page.anchor = Anchor(
      sequence: sequence, initialLoadEnd: page.anchor.initialLoadEnd, horizon: page.anchor.horizon,
      origin: page.anchor.origin)
  }

  private mutating func read(_ segment: Segment) throws {
    let order = try snapshot.caches.commitOrders.order(
      segment, selection.series, snapshot.symbols)
    let first = segment.header.first
    var index = start < first ? 0 : order.firstIndex(from: start + 1 - first)
    page.changes.rows.reserveCapacity(min(limit, order.entries.count - index))
    if order.needsCopy { return try read(segment, order, from: index) }
    var open = OpenBlocks(segment, snapshot.caches.blocks)
    var deleted = DeletionVector.Cursor(snapshot.deleted)
    let mayBeDeleted = snapshot.deleted.mayIntersect(segment.header.first, segment.header.last)
    while index < order.entries.count {
      let location = order.locator.locate(CommitOrder.row(order.entries[index]))
      let slot = try open.slot(location.block)
      let isRoom = try open.slots[slot].reference._withUnsafeGuaranteedRef { block in
        let isDeleted =
          mayBeDeleted && block.kind == .sample && deleted.contains(block.sequence[location.row])
        return try isDeleted || add(block, location.row, &open.slots[slot].number)
      }
      guard isRoom else { return }
      index += 1
    }
  }

  /// Reads rows that alternate between many blocks, through a window in commit order.
  private mutating func read(
    _ segment: Segment, _ order: CommitOrder, from first: Int
  ) throws {
    let mayBeDeleted = snapshot.deleted.mayIntersect(segment.header.first, segment.header.last)
    var index = first
    while index < order.entries.count {
      let window = try snapshot.caches.commitOrders.window(
        segment, order, from: index, wanted: limit)
      while index < window.range.upperBound {
        let end = min(window.range.upperBound, index + copied)
        let rows = CommitOrderPage(
          window, index..<end, without: mayBeDeleted ? snapshot.deleted : nil
        )
        .copied()
        guard try add(rows) else { return }
        index = end
      }
    }
  }

  /// The number of rows to copy next: one more than fits, to determine whether there are more.
  private var copied: Int {
    let room = min(limit - page.changes.count, CommitOrderPage.maximum - 1)
    // A filter may reject rows, so more are copied.
    return min(isFiltered ? max(256, 2 * room) : room + 1, CommitOrderPage.maximum)
  }

  /// Adds selected rows to the page.
  ///
  /// Returns false if the page is full.
  private mutating func add(_ rows: RowSelection) throws -> Bool {
    let references = rows.blocks.map { Unmanaged.passUnretained($0) }
    defer { withExtendedLifetime(rows) {} }
    var numbers = [UInt32?](repeating: nil, count: references.count)
    for entry in rows.entries {
      let number = Int(entry.block)
      let isRoom = try references[number]._withUnsafeGuaranteedRef {
        try add($0, Int(entry.row), &numbers[number])
      }
      guard isRoom else { return false }
    }
    return true
  }

  private mutating func read(_ memTable: MemTable) throws {
    var next = start
    while true {
      // Read in batches, so that the memtable's lock is never held for long.
      let rows = try memTable.rows(
        after: next, through: snapshot.end, in: selection.series, limit: 4096)
      try InlineWork.spend(rows: rows.count)
      for row in rows {
        let isDeleted = row.block.kind == .sample && snapshot.deleted.contains(row.sequence)
        let key = ObjectIdentifier(row.block)
        var number = memTableBlocks[key]
        guard try isDeleted || add(row.block, row.row, &number) else { return }
        memTableBlocks[key] = number
        next = row.sequence
      }
      if rows.count < 4096 { return }
    }
  }

  /// Adds a row of the feed's series to the page if it satisfies the filters.
  ///
  /// Returns false if the page is full.
  ///
  /// `number` caches the block's number within the page.
  @inline(__always)
  private mutating func add(
    _ block: Block, _ row: Int, _ number: inout UInt32?
  ) throws -> Bool {
    if hasErasures, snapshot.isErasedDeletion(block, row) { return true }
    if isFiltered {
      try selection.filters[selection.number(of: block.key(at: row))].select(
        block, row..<row + 1, isSorted: false, deleted: nil, into: &rows)
      if rows.isEmpty { return true }
    }
    if page.changes.count == limit {
      page.hasMore = true
      return false
    }
    let known = number ?? page.changes.rows.add(block)
    number = known
    page.changes.rows.append(row: row, of: known)
    last = block.sequence[row]
    return true
  }
}

/// The blocks of a segment that a reader alternates between.
///
/// Commit order touches only a few blocks at a time.
private struct OpenBlocks {
  private static let maximum = 256
  private let segment: Segment
  private let cache: BlockCache
  private var kept: [Block] = []
  /// Unretained references to the same blocks, and each block's number in the page.
  var slots: [(reference: Unmanaged<Block>, number: UInt32?)] = []
  /// The slot of each block.
  private var numbers: SparseNumbers

  init(_ segment: Segment, _ cache: BlockCache) {
    self.segment = segment
    self.cache = cache
    numbers = SparseNumbers(count: segment.blockCount)
    kept.reserveCapacity(32)
    slots.reserveCapacity(32)
  }

  /// Returns the slot of a block, which is valid until the next call.
  @inline(__always)
  mutating func slot(_ index: Int) throws -> Int {
    if let known = numbers[index] { return known }
    return try open(index)
  }

  private mutating func open(_ index: Int) throws -> Int {
    try InlineWork.spend(rows: segment.directory.rows(index), blocks: 1)
    let block = try cache.block(segment, index)
    if kept.count == Self.maximum {
      kept.removeAll(keepingCapacity: true)
      slots.removeAll(keepingCapacity: true)
      numbers.removeAll()
    }
    kept.append(block)
    slots.append((.passUnretained(block), nil))
    numbers[index] = kept.count - 1
    return kept.count - 1
  }
}
