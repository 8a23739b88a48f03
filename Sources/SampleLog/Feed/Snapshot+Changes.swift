/// One record of the change feed.
public struct Change: Sendable {
  /// The sample added, or the deletion with the columns of the sample that went.
  public let row: Row

  /// The change's sequence number.
  public var sequence: UInt64 { row.sequence }
  /// Whether a sample was added or deleted.
  public var kind: RowKind { row.kind }
}

/// Changes in the order of their sequence numbers, eight bytes each beside their blocks.
public struct ChangeList: RandomAccessCollection, Sendable {
  /// The samples added, and the deletions with the columns of the samples that went.
  public internal(set) var rows = RowSelection()

  /// The first sequence number.
  public var startIndex: Int { 0 }
  /// The sequence number after the last.
  public var endIndex: Int { rows.count }

  /// The change at a position.
  ///
  /// Counts a reference to its block; ``RowSelection/forEachRow(_:)`` of ``rows`` does not.
  public subscript(position: Int) -> Change { Change(row: rows[position]) }
}

/// A piece of the change feed.
public struct ChangePage: Sendable {
  /// The changes, in the order of their sequence numbers.
  public internal(set) var changes = ChangeList()
  /// The subjects that were erased since the last page, of a feed of all series.
  ///
  /// A copy of the store erases them, too, before it takes the page's changes. A feed of named
  /// series does not read on after one of their subjects was erased: it throws
  /// ``StoreError/erased(subject:sequence:)``.
  public internal(set) var erasures: [Erasure] = []
  /// Where to read on: nothing at or before it is still to come.
  public internal(set) var anchor: Anchor
  /// Whether the limit left changes behind.
  public internal(set) var hasMore = false
  /// What the page was read from.
  public let snapshot: Snapshot
}

extension Snapshot {
  /// Reads the log after an anchor, the changes of some series that satisfy one filter.
  ///
  /// The same as ``changes(after:of:limit:)`` of such a selection.
  public func changes(
    after anchor: Anchor, in series: [Series], where filter: RowFilter = RowFilter(),
    limit: Int? = nil
  ) throws -> ChangePage {
    try changes(after: anchor, of: SeriesSelection(series, where: filter), limit: limit)
  }

  /// Reads the log after an anchor, the changes of all series that satisfy a filter.
  ///
  /// The same as ``changes(after:of:limit:)`` of such a selection.
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

  /// Reads the log after an anchor: what was added and is still there, and what was deleted.
  ///
  /// A sample added and deleted after `anchor` appears as its deletion only. The filter of a
  /// deletion is applied to the sample that went.
  ///
  /// - Parameters:
  ///   - anchor: Where to read on; ``Anchor/beginning`` for everything remembered.
  ///   - selection: The series to read, and what the rows of each must satisfy.
  ///   - limit: The greatest number of changes to return; nil for all.
  /// - Returns: The changes and where to read on.
  /// - Throws: ``StoreError/anchorExpired(anchor:floor:)``,
  ///   ``StoreError/anchorFromTheFuture(anchor:end:)``, ``StoreError/anchorOfAnotherStore``,
  ///   ``StoreError/invalid(_:)`` for another database's series, and
  ///   ``StoreError/erased(subject:sequence:)`` when a subject of the series was erased after
  ///   `anchor`.
  /// - Complexity: Linear in the rows of the series after the anchor, whatever order they arrived
  ///   in; a segment's arrival order is worked out once and kept.
  public func changes(
    after anchor: Anchor, of selection: SeriesSelection, limit: Int? = nil
  ) throws -> ChangePage {
    try selection.check(symbols)
    let anchor = try check(anchor)
    try checkNotErased(selection.series, after: anchor)
    let passStart = anchor.sequence == 0 ? end : anchor.passStart
    let page = ChangePage(
      anchor: Anchor(
        sequence: anchor.sequence, passStart: passStart, horizon: end, origin: identity.origin),
      snapshot: self)
    // Most who ask have seen everything.
    if anchor.sequence >= end { return page }
    var reader = ChangeReader(page, selection, limit: limit ?? .max)
    try reader.read()
    return reader.page
  }

  /// Returns an anchor of this store's history as one of this epoch that can be read on from.
  ///
  /// - Throws: What ``changes(after:of:limit:)`` throws for an anchor.
  /// - Complexity: O(1), and O(e) for an anchor from before the store was restored *e* times.
  public func check(_ anchor: Anchor) throws -> Anchor {
    let anchor = try identity.resolve(anchor)
    guard anchor.horizon <= end else {
      throw StoreError.anchorFromTheFuture(anchor: anchor.horizon, end: end)
    }
    guard anchor.sequence == 0 || max(anchor.sequence, anchor.passStart) >= floor else {
      throw StoreError.anchorExpired(anchor: anchor.sequence, floor: floor)
    }
    return anchor
  }
}

/// Collects one page.
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

  /// Moves the page's anchor on, and takes the erasures up to it.
  private mutating func finish(at sequence: UInt64) {
    if selection.series == nil {
      // A first pass has read nothing of whom was erased before it began.
      let seen = max(start, page.anchor.passStart)
      page.erasures = snapshot.erasures.values
        .filter { seen < $0.sequence && $0.sequence <= sequence }
        .sorted { $0.sequence < $1.sequence }
    }
    page.anchor = Anchor(
      sequence: sequence, passStart: page.anchor.passStart, horizon: page.anchor.horizon,
      origin: page.anchor.origin)
  }

  private mutating func read(_ segment: Segment) throws {
    let arrivals = try snapshot.caches.arrivals.arrivals(segment, selection.series)
    let first = segment.header.first
    var index = start < first ? 0 : arrivals.firstIndex(from: start + 1 - first)
    page.changes.rows.reserveCapacity(min(limit, arrivals.entries.count - index))
    if arrivals.isScattered { return try read(segment, arrivals, from: index) }
    var open = OpenBlocks(segment, snapshot.caches.blocks)
    var dead = DeletionVector.Cursor(snapshot.dead)
    let mayBeDead = snapshot.dead.mayIntersect(segment.header.first, segment.header.last)
    while index < arrivals.entries.count {
      let location = arrivals.locator.locate(Arrivals.row(arrivals.entries[index]))
      let slot = try open.slot(location.block)
      let isRoom = try open.slots[slot].reference._withUnsafeGuaranteedRef { block in
        let isDead =
          mayBeDead && block.kind == .sample && dead.contains(block.sequence[location.row])
        return try isDead || add(block, location.row, &open.slots[slot].number)
      }
      guard isRoom else { return }
      index += 1
    }
  }

  /// Reads rows that alternate between many blocks.
  private mutating func read(
    _ segment: Segment, _ arrivals: Arrivals, from first: Int
  ) throws {
    let mayBeDead = snapshot.dead.mayIntersect(segment.header.first, segment.header.last)
    var index = first
    while index < arrivals.entries.count {
      let window = try snapshot.caches.arrivals.window(
        segment, arrivals, from: index, wanted: limit)
      while index < window.range.upperBound {
        let end = min(window.range.upperBound, index + copied)
        let rows = ArrivalPage(window, index..<end, without: mayBeDead ? snapshot.dead : nil)
          .copied()
        guard try add(rows) else { return }
        index = end
      }
    }
  }

  /// How many rows are copied next: one more than there is room for tells whether there are more.
  private var copied: Int {
    let room = min(limit - page.changes.count, ArrivalPage.maximum - 1)
    // Of rows that a filter may leave out, a page takes more.
    return min(isFiltered ? max(256, 2 * room) : room + 1, ArrivalPage.maximum)
  }

  /// Takes rows that belong to the feed; returns false when the page is full.
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
      // In pieces, so that the memtable's lock is never held for long.
      let rows = memTable.rows(
        after: next, through: snapshot.end, in: selection.series, limit: 4096)
      for row in rows {
        let isDead = row.block.kind == .sample && snapshot.dead.contains(row.sequence)
        let key = ObjectIdentifier(row.block)
        var number = memTableBlocks[key]
        guard try isDead || add(row.block, row.row, &number) else { return }
        memTableBlocks[key] = number
        next = row.sequence
      }
      if rows.count < 4096 { return }
    }
  }

  /// Takes a row that belongs to the feed; returns false when the page is full.
  ///
  /// `number` is the block's within the page, once it has one.
  @inline(__always)
  private mutating func add(
    _ block: Block, _ row: Int, _ number: inout UInt32?
  ) throws -> Bool {
    if hasErasures, snapshot.isErasedDeletion(block, row) { return true }
    if isFiltered {
      try selection.filters[selection.number(of: block.key(at: row))].select(
        block, row..<row + 1, isSorted: false, dead: nil, into: &rows)
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

/// The blocks of a segment that a reader alternates between: rows of one order of arrival come
/// from few at a time.
private struct OpenBlocks {
  private static let maximum = 256
  private let segment: Segment
  private let cache: BlockCache
  private var kept: [Block] = []
  /// The blocks again, found without counting references, and what number each has in a page.
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

  /// Where a block is, which holds until the next call.
  @inline(__always)
  mutating func slot(_ index: Int) throws -> Int {
    if let known = numbers[index] { return known }
    return try open(index)
  }

  private mutating func open(_ index: Int) throws -> Int {
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
