/// What the lock of a ``MemTable`` guards.
struct MemTableState {
  /// Where a row is: in which series and which row of it.
  struct Location {
    var series: Int
    var row: Int
  }

  /// A location in eight bytes; sequence numbers of settings have none.
  struct Slot {
    private var bits: UInt64

    static let none = Slot(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    @inline(__always)
    init(_ location: Location) { bits = UInt64(location.series) << 32 | UInt64(location.row) }

    @inline(__always)
    var location: Location? {
      bits == .max ? nil : Location(series: Int(bits >> 32), row: Int(bits & 0xFFFF_FFFF))
    }
  }

  let first: UInt64
  let symbols: SymbolTable
  private let hash: KeyHash
  var series: [MemTableSeries] = []
  var numbers: [BlockKey: Int] = [:]
  /// For each sequence number from `first` on, its row.
  var order: [Slot] = []
  var rowCount = 0
  var syncRows: [UInt64: [Location]] = [:]
  private var ids = IdentifierTable()
  private var memory = ChunkMemory()

  init(first: UInt64, symbols: SymbolTable, hash: KeyHash) {
    self.first = first
    self.symbols = symbols
    self.hash = hash
  }

  /// Notes that sequence numbers below one carry no rows.
  mutating func skip(to next: UInt64) {
    let missing = Int(next - first) - order.count
    if missing > 0 { order.append(contentsOf: repeatElement(.none, count: missing)) }
  }

  /// Appends rows and returns the series they belong to.
  ///
  /// Rows are dealt out to their series first, so that each column is copied in runs.
  mutating func append(
    _ group: RowGroup, kind: RowKind, time: Double
  ) -> Set<SeriesKey> {
    guard group.count > 0 else { return [] }
    let (keys, rows) = Self.deal(group)
    let base = order.count
    order.append(contentsOf: repeatElement(.none, count: group.count))
    for (key, members) in zip(keys, rows) {
      let number = seriesNumber(key, kind)
      let first = series[number].count
      for (offset, row) in members.enumerated() {
        order[base + Int(row)] = Slot(Location(series: number, row: first + offset))
      }
      series[number].append(
        group, members, sequence: self.first + UInt64(base), time: time, &memory)
    }
    if kind == .sample { index(group, from: base) }
    rowCount += group.count
    return Set(keys)
  }

  /// Sorts out which rows belong to which series, in their order.
  private static func deal(_ group: RowGroup) -> (keys: [SeriesKey], rows: [[Int32]]) {
    var keys: [SeriesKey] = []
    var rows: [[Int32]] = []
    var numbers: [SeriesKey: Int] = [:]
    var last = -1
    for row in 0..<group.count {
      let key = SeriesKey(subject: group.subject[row], type: group.type[row])
      if last < 0 || keys[last] != key {
        if let known = numbers[key] {
          last = known
        } else {
          last = keys.count
          numbers[key] = last
          keys.append(key)
          rows.append([])
        }
      }
      rows[last].append(Int32(row))
    }
    return (keys, rows)
  }

  /// Makes samples findable by identifier and synchronisation key.
  private mutating func index(_ group: RowGroup, from base: Int) {
    ids.reserve(group.count)
    group.id.withUnsafeBufferPointer { column in
      hash.forEachGroup(of: column, prefetch: ids.prefetch) { row, hash in
        ids.insert(hash, row: base + row)
        return true
      }
    }
    guard let syncKeys = group.syncKeys(symbols) else { return }
    for row in 0..<group.count {
      guard let key = syncKeys[Int(group.extras[row])], let location = order[base + row].location
      else { continue }
      syncRows[key(group.subject[row], group.type[row]), default: []].append(location)
    }
  }

  /// The index of the first of some identifiers that has a row satisfying a condition.
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
      guard let location = order[row].location, series[location.series].id(location.row) == id
      else {
        return false
      }
      return isMatch(first + UInt64(row))
    }
    return found.flatMap { order[$0].location }
  }

  func reference(_ location: Location) -> RowReference {
    RowReference(block(location), location.row & 4095)
  }

  /// The block that a location is in, with every row it has.
  func block(_ location: Location) -> Block {
    series[location.series].block(location.row >> 12, through: .max, symbols: symbols)
  }

  /// Rows of some series in order of sequence number.
  func rows(
    after: UInt64, through end: UInt64, in keys: [SeriesKey], limit: Int
  ) -> [RowReference] {
    var result: [RowReference] = []
    for key in keys {
      for kind in [RowKind.sample, .deletion] {
        guard let number = numbers[BlockKey(key, kind)] else { continue }
        result += series[number].rows(after: after, through: end, limit: limit, symbols: symbols)
      }
    }
    result.sort { $0.sequence < $1.sequence }
    return Array(result.prefix(limit))
  }

  private mutating func seriesNumber(_ key: SeriesKey, _ kind: RowKind) -> Int {
    if let known = numbers[BlockKey(key, kind)] { return known }
    series.append(MemTableSeries(key: key, kind: kind))
    numbers[BlockKey(key, kind)] = series.count - 1
    return series.count - 1
  }
}
