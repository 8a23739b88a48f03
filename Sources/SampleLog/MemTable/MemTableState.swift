/// The state that the lock of a ``MemTable`` guards.
struct MemTableState {
  /// The location of a row, in eight bytes.
  struct Slot {
    private var bits: UInt64
    private static let shared: UInt64 = 1 << 63

    /// The slot of a sequence number without a row, such as that of a setting.
    static let none = Slot(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    /// Creates the slot of a row in its series' own chunks.
    @inline(__always)
    init(series: Int, row: Int) { bits = UInt64(series) << 32 | UInt64(row) }

    /// Creates the slot of a row among the shared rows of a kind.
    @inline(__always)
    init(shared row: UInt32, _ kind: RowKind) {
      bits = Slot.shared | UInt64(kind.rawValue) << 32 | UInt64(row)
    }

    @inline(__always)
    var location: Location? {
      if bits == .max { return nil }
      let row = UInt32(truncatingIfNeeded: bits)
      let upper = Int((bits & ~Slot.shared) >> 32)
      if bits & Slot.shared == 0 { return .own(series: upper, row: Int(row)) }
      return .shared(row, upper == 0 ? .sample : .deletion)
    }
  }

  enum Location {
    case own(series: Int, row: Int)
    case shared(UInt32, RowKind)
  }

  let first: UInt64
  let symbols: SymbolTable
  private let hash: KeyHash
  private(set) var series: [MemTableSeries] = []
  private var sampleNumbers = SeriesNumbers()
  private var deletionNumbers = SeriesNumbers()
  private(set) var sharedSamples = SharedRows(kind: .sample)
  private(set) var sharedDeletions = SharedRows(kind: .deletion)
  /// The slot of each sequence number, from `first` on.
  private(set) var order: [Slot] = []
  private(set) var rowCount = 0
  /// The sequence numbers of samples with sync identifiers, by sync key.
  private(set) var syncRows: [UInt64: [UInt64]] = [:]
  private var ids = IdentifierTable()
  /// The index in ``order`` of the first sample that ``ids`` does not contain, or nil if there is
  /// none.
  private var firstUnindexed: Int?
  private var memory = ChunkMemory()

  init(first: UInt64, symbols: SymbolTable, hash: KeyHash) {
    self.first = first
    self.symbols = symbols
    self.hash = hash
  }

  /// Marks the unused sequence numbers below `next` as having no rows.
  mutating func skip(to next: UInt64) {
    let missing = Int(next - first) - order.count
    if missing > 0 { order.append(contentsOf: repeatElement(.none, count: missing)) }
  }

  func shared(_ kind: RowKind) -> SharedRows { kind == .sample ? sharedSamples : sharedDeletions }

  /// Returns the number of a series, or nil if it has no rows.
  func number(_ key: SeriesKey, _ kind: RowKind) -> Int? {
    kind == .sample ? sampleNumbers[key] : deletionNumbers[key]
  }

  /// Returns the row at a location.
  func reference(_ location: Location) -> Row {
    switch location {
    case .own(let number, let row):
      let one = series[number]
      return Row(one.block(one.chunks[row >> 12], through: .max, symbols), row & 4095)
    case .shared(let row, let kind):
      let shared = shared(kind)
      let key = series[Int(shared.series[Int(row)])].key
      return Row(shared.block(row, key, symbols), 0)
    }
  }

  /// Returns the index of the first identifier that has a row with a matching sequence number.
  func firstMatch(
    _ wanted: UnsafeBufferPointer<Identifier>, where isMatch: (UInt64) -> Bool
  ) -> Int? {
    if rowCount == 0 { return nil }
    var match: Int?
    hash.forEachGroup(of: wanted, prefetch: ids.prefetch) { index, hash in
      if find(wanted[index], hash, where: isMatch) != nil { match = index }
      return match == nil
    }
    return match
  }

  func find(_ id: Identifier, where isMatch: (UInt64) -> Bool) -> Location? {
    find(id, hash(id), where: isMatch)
  }

  @inline(__always)
  private func find(
    _ id: Identifier, _ hash: UInt64, where isMatch: (UInt64) -> Bool
  ) -> Location? {
    let found = ids.first(hash) { row in
      switch order[row].location {
      case .own(let number, let row)? where series[number].id(row) == id: break
      case .shared(let row, _)? where sharedSamples.id(row) == id: break
      default: return false
      }
      return isMatch(first + UInt64(row))
    }
    return found.flatMap { order[$0].location }
  }
}

extension MemTableState {
  /// Indexes the samples that were appended without it.
  mutating func indexAll() {
    guard let from = firstUnindexed else { return }
    firstUnindexed = nil
    ids.reserve(order.count - from)
    let capacity = 1024
    var column: [Identifier] = []
    var rows: [Int] = []
    column.reserveCapacity(capacity)
    rows.reserveCapacity(capacity)
    for begin in stride(from: from, to: order.count, by: capacity) {
      column.removeAll(keepingCapacity: true)
      rows.removeAll(keepingCapacity: true)
      for row in begin..<min(begin + capacity, order.count) {
        switch order[row].location {
        case .own(let number, let own)? where series[number].kind == .sample:
          column.append(series[number].id(own))
        case .shared(let shared, .sample)?: column.append(sharedSamples.id(shared))
        default: continue
        }
        rows.append(row)
      }
      insert(column) { rows[$0] }
    }
  }

  /// Indexes all samples, or refuses an inline attempt if they are many.
  mutating func indexNow() throws {
    guard let from = firstUnindexed else { return }
    if order.count - from > InlineWork.maximumRows { try InlineWork.refuse() }
    indexAll()
  }

  /// Adds identifiers to the table; `row` returns the row of the identifier at an index.
  @inline(__always)
  private mutating func insert(_ column: [Identifier], row: (Int) -> Int) {
    column.withUnsafeBufferPointer { column in
      hash.forEachGroup(of: column, prefetch: ids.prefetch) { index, hash in
        ids.insert(hash, row: row(index))
        return true
      }
    }
  }

  /// Appends rows and returns their series, each once.
  ///
  /// Partitions the rows by series first, so that columns are copied in runs. If `isIndexed` is
  /// false or earlier samples are not indexed, neither are these.
  mutating func append(
    _ group: RowGroup, kind: RowKind, time: Double, isIndexed: Bool
  ) -> [SeriesKey] {
    guard group.count > 0 else { return [] }
    let base = order.count
    let (numbers, touched) = deal(group, kind)
    order.append(contentsOf: repeatElement(.none, count: group.count))
    var ownCount = 0
    for number in touched { place(number, &ownCount) }
    let sharedCount = shared(kind).count
    let few: [Int32]
    let own: [Int32]
    (own, few) = part(numbers, base: base, ownCount: ownCount, sharedCount: sharedCount, kind)
    let sequence = first + UInt64(base)
    own.withUnsafeBufferPointer { own in
      for number in touched { appendOwn(number, group, own, base: base, time: time) }
    }
    few.withUnsafeBufferPointer { few in
      if kind == .sample {
        sharedSamples.append(
          group, few, of: &series, numbers: numbers, sequence: sequence, time: time, &memory)
      } else {
        sharedDeletions.append(
          group, few, of: &series, numbers: numbers, sequence: sequence, time: time, &memory)
      }
    }
    for number in touched { series[number].added = 0 }
    if kind == .sample {
      if firstUnindexed == nil, !isIndexed { firstUnindexed = base }
      if firstUnindexed == nil {
        ids.reserve(group.count)
        insert(group.id) { base + $0 }
      }
      indexSyncKeys(group, from: base)
    }
    rowCount += group.count
    return touched.map { series[$0].key }
  }

  /// Returns the series number of each row, and counts the rows that each series receives.
  private mutating func deal(
    _ group: RowGroup, _ kind: RowKind
  ) -> (numbers: [UInt32], touched: [Int]) {
    let numbers = [UInt32](unsafeUninitializedCapacity: group.count) { numbers, initialized in
      let numbers = UnsafeMutableBufferPointer(rebasing: numbers[..<group.count])
      while true {
        let (subjects, types) = (group.subject, group.type)
        initialized =
          kind == .sample
          ? sampleNumbers.number(subjects, types, from: initialized, into: numbers)
          : deletionNumbers.number(subjects, types, from: initialized, into: numbers)
        if initialized == group.count { break }
        let key = SeriesKey(subject: subjects[initialized], type: types[initialized])
        if kind == .sample {
          _ = sampleNumbers.number(of: key, orNew: series.count)
        } else {
          _ = deletionNumbers.number(of: key, orNew: series.count)
        }
        series.append(MemTableSeries(key: key, kind: kind))
      }
    }
    var touched: [Int] = []
    series.withUnsafeMutableBufferPointer { series in
      numbers.withUnsafeBufferPointer { numbers in
        for row in 0..<numbers.count {
          let number = Int(numbers[row])
          if series[number].added == 0 { touched.append(number) }
          series[number].added &+= 1
        }
      }
    }
    return (numbers, touched)
  }

  /// Returns the rows for the series' own chunks, series by series, and those for the shared rows.
  private mutating func part(
    _ numbers: [UInt32], base: Int, ownCount: Int, sharedCount: Int, _ kind: RowKind
  ) -> (own: [Int32], few: [Int32]) {
    var few: [Int32] = []
    few.reserveCapacity(numbers.count - ownCount)
    let own = [Int32](unsafeUninitializedCapacity: ownCount) { own, initialized in
      series.withUnsafeMutableBufferPointer { series in
        numbers.withUnsafeBufferPointer { numbers in
          for row in 0..<numbers.count {
            let number = Int(numbers[row])
            let next = Int(series[number].next)
            if next < 0 {
              few.append(Int32(row))
            } else {
              own[next] = Int32(truncatingIfNeeded: row)
              series[number].next &+= 1
            }
          }
        }
      }
      initialized = ownCount
    }
    for (index, row) in few.enumerated() {
      order[base + Int(row)] = Slot(shared: UInt32(sharedCount + index), kind)
    }
    return (own, few)
  }

  /// Assigns the new rows of a series to its own chunks or to the shared rows.
  private mutating func place(_ number: Int, _ ownCount: inout Int) {
    let one = series[number]
    let isFew = Int(one.count + one.added) <= MemTableSeries.maximumSharedRows
    if one.isShared, isFew {
      series[number].next = -1
      return
    }
    if one.isShared, one.count > 0 {
      let shared = shared(one.kind)
      let rows = shared.rows(of: one)
      series[number].leave(shared, rows, &memory)
      for (index, row) in rows.enumerated() {
        order[Int(shared.sequence(row) - first)] = Slot(series: number, row: index)
      }
    }
    series[number].next = Int32(ownCount)
    ownCount += Int(one.added)
  }

  /// Appends the new rows of a series that has its own chunks.
  private mutating func appendOwn(
    _ number: Int, _ group: RowGroup, _ rows: UnsafeBufferPointer<Int32>, base: Int, time: Double
  ) {
    let one = series[number]
    guard one.next >= 0 else { return }
    let (next, count) = (Int(one.next), Int(one.count))
    let own = UnsafeBufferPointer(rebasing: rows[next - Int(one.added)..<next])
    order.withUnsafeMutableBufferPointer { order in
      for offset in 0..<own.count {
        order[base &+ Int(own[offset])] = Slot(series: number, row: count &+ offset)
      }
    }
    series[number].append(
      group, own, sequence: first + UInt64(base), time: time, &memory)
  }

  /// Adds samples to the index of sync keys.
  private mutating func indexSyncKeys(_ group: RowGroup, from base: Int) {
    guard let syncKeys = group.syncKeys(symbols) else { return }
    for row in 0..<group.count {
      guard let key = syncKeys[Int(group.extras[row])] else { continue }
      syncRows[key(group.subject[row], group.type[row]), default: []]
        .append(first + UInt64(base + row))
    }
  }
}
