/// A cache of rows in commit order, so that reading a feed page by page stays linear in the rows it
/// returns.
final class CommitOrderCache: Sendable {
  private struct Key: Hashable {
    var segment: ObjectIdentifier
    var series: [SeriesKey]?
  }

  /// The commit order of some of a segment's rows.
  private struct Entry {
    var key: Key
    var segment: Segment
    var order: CommitOrder
    /// The series of the last request, and the symbol table's count of releases at that time.
    var request: (series: [SeriesKey]?, releases: Int)
  }

  private struct KeptWindow {
    var window: CommitOrderWindow
    /// Whether the reader has moved on to the next window.
    var isFinished = false
  }

  private struct State {
    // The least recently used entry comes first.
    var entries: [Entry] = []
    var rows = 0
    // The least recently used window comes first.
    var windows: [KeptWindow] = []

    /// Returns the order of the first matching entry, which becomes the most recently used one.
    mutating func order(
      of request: (series: [SeriesKey]?, releases: Int), where isMatch: (Entry) -> Bool
    ) -> CommitOrder? {
      guard let index = entries.lastIndex(where: isMatch) else { return nil }
      var entry = entries.remove(at: index)
      entry.request = request
      entries.append(entry)
      return entry.order
    }
  }

  /// The size of a reader's first window, in rows; the reader may need only one page.
  private static let firstWindow = 8192

  private let capacity: Int
  private let windowCapacity: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - capacity: The number of entries of commit orders to keep, eight bytes each.
  ///   - windowCapacity: The number of copied rows to keep, ``CommitOrderWindow/bytesPerRow`` each.
  init(capacity: Int, windowCapacity: Int) {
    self.capacity = capacity
    self.windowCapacity = windowCapacity
  }

  /// Returns the commit order of a segment's rows, of the given series or of all.
  func order(
    _ segment: Segment, _ series: [SeriesKey]?, _ symbols: SymbolTable
  ) throws -> CommitOrder {
    let request = (series: series, releases: symbols.releaseCount)
    let identity = ObjectIdentifier(segment)
    // A feed requests the same series for each page.
    let same = state.withLock { state in
      state.order(of: request) {
        $0.key.segment == identity && $0.request.releases == request.releases
          && $0.request.series == series
      }
    }
    if let same { return same }
    // Only symbols that a segment uses are stable. A series without rows in the segment is left out
    // of the key, because its symbol may denote another name at the next lookup.
    let series = series?.filter {
      segment.series($0, .sample) != nil || segment.series($0, .deletion) != nil
    }
    if series?.isEmpty == true { return CommitOrder([], inBlocks: 0, of: segment) }
    let key = Key(segment: identity, series: series)
    if let known = state.withLock({ $0.order(of: request) { $0.key == key } }) { return known }
    let parts = Self.parts(segment, series)
    let order = CommitOrder(
      try Self.order(segment, parts), inBlocks: Set(parts.lazy.map(\.block)).count, of: segment)
    state.withLock { state in
      if segment.isRetired { return }
      state.entries.append(Entry(key: key, segment: segment, order: order, request: request))
      state.rows += order.entries.count
      while state.rows > capacity, state.entries.count > 1 {
        state.rows -= state.entries.removeFirst().order.entries.count
      }
    }
    return order
  }

  /// Returns a window of rows in commit order, starting at a position.
  ///
  /// A reader that continues gets large windows, because each window costs about as much as reading
  /// the whole segment, however few rows of each block it takes. The sizes are chosen so that the
  /// windows of all readers fit, with one in reserve: readers of the same rows may be one window
  /// apart.
  func window(
    _ segment: Segment, _ order: CommitOrder, from position: Int, wanted: Int
  ) throws -> CommitOrderWindow {
    var size = Self.firstWindow
    let known = state.withLock { state -> CommitOrderWindow? in
      let own = state.windows.indices.filter { state.windows[$0].window.order === order }
      if let index = own.last(where: { state.windows[$0].window.range.contains(position) }) {
        let kept = state.windows.remove(at: index)
        state.windows.append(kept)
        return kept.window
      }
      if let index = own.last(where: { state.windows[$0].window.range.upperBound == position }) {
        state.windows[index].isFinished = true
        size = .max
      }
      let others = state.windows.filter { !$0.isFinished }
      let rest = windowCapacity - others.reduce(0) { $0 + $1.window.range.count }
      let most = max(1, rest / 2, windowCapacity / 2 / (1 + others.count))
      size = min(most, max(wanted, size))
      return nil
    }
    if let known { return known }
    let range = position..<min(position + size, order.entries.count)
    let window = try CommitOrderWindow(segment, order, range)
    state.withLock { state in
      if segment.isRetired { return }
      state.windows.append(KeptWindow(window: window))
      var rows = state.windows.reduce(0) { $0 + $1.window.range.count }
      while rows > windowCapacity, state.windows.count > 1 {
        rows -= state.windows.removeFirst().window.range.count
      }
    }
    return window
  }

  /// Removes the orders and windows of segments that are no longer part of the store.
  func forget(_ segments: [Segment]) {
    let gone = Set(segments.map(ObjectIdentifier.init))
    state.withLock { state in
      for entry in state.entries where gone.contains(entry.key.segment) {
        state.rows -= entry.order.entries.count
      }
      state.entries.removeAll { gone.contains($0.key.segment) }
      state.windows.removeAll { gone.contains(ObjectIdentifier($0.window.segment)) }
    }
  }

  /// A range of rows of a block.
  private struct Part {
    var block: Int
    var rows: Range<Int>
  }

  private static func parts(_ segment: Segment, _ series: [SeriesKey]?) -> [Part] {
    guard let series else {
      return (0..<segment.blockCount).map { Part(block: $0, rows: 0..<segment.zone($0).count) }
    }
    var parts: [Part] = []
    for key in series {
      for kind in [RowKind.sample, .deletion] {
        guard let one = segment.series(key, kind) else { continue }
        parts += one.blocks.map { Part(block: $0, rows: segment.rows(of: one, inBlock: $0)) }
      }
    }
    return parts
  }

  private static func order(_ segment: Segment, _ parts: [Part]) throws -> [UInt64] {
    let first = segment.header.first
    let span = Int(segment.header.last - first) + 1
    let rows = parts.reduce(0) { $0 + $1.rows.count }
    try InlineWork.spend(rows: rows, blocks: parts.count)
    // If the rows are dense, a table indexed by sequence number sorts them in linear time. If they
    // are sparse, sorting is cheaper.
    guard rows * 8 > span else {
      var entries: [UInt64] = []
      entries.reserveCapacity(rows)
      try forEachRow(segment, parts) { entries.append(CommitOrder.entry($0 - first, $1)) }
      entries.sort()
      return entries
    }
    var table = [UInt32](repeating: .max, count: span)
    try table.withUnsafeMutableBufferPointer { table in
      try forEachRow(segment, parts) { table[Int($0 - first)] = UInt32($1) }
    }
    return [UInt64](unsafeUninitializedCapacity: rows) { entries, count in
      for offset in 0..<span where table[offset] != .max && count < rows {
        entries[count] = CommitOrder.entry(UInt64(offset), Int(table[offset]))
        count += 1
      }
    }
  }

  @inline(__always)
  private static func forEachRow(
    _ segment: Segment, _ parts: [Part], _ body: (UInt64, Int) -> Void
  ) throws {
    var last: (index: Int, block: Block)?
    for part in parts {
      let block =
        last?.index == part.block ? last?.block : try segment.block(part.block, .sequence)
      guard let block else { continue }
      last = (part.block, block)
      let base = segment.firstRow(ofBlock: part.block)
      for row in part.rows { body(block.sequence[row], base + row) }
    }
  }
}
