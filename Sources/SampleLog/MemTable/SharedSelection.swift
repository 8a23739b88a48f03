/// The shared rows of many series, to be copied to blocks after releasing the memtable's lock.
///
/// While a selection exists, the next commit must copy the arrays of row numbers.
struct SharedSelection {
  private let rows: SharedRows
  private let visible: Int
  /// The type and filter that the rows of a block share.
  private var groups: [(type: Symbol, filter: Int)] = []
  /// The group of each series, or ``SharedRows/none`` if the series is not selected.
  private var groupsOfSeries: [UInt32]
  private var numbers: [UInt64: UInt32] = [:]

  init(_ rows: SharedRows, series: Int, through end: UInt64) {
    self.rows = rows
    visible = (0..<rows.count).partition { rows.sequence(UInt32($0)) <= end }
    groupsOfSeries = Array(repeating: SharedRows.none, count: series)
  }

  /// Selects a series whose rows are shared.
  mutating func add(_ number: Int, type: Symbol, filter: Int) {
    let key = UInt64(type) << 32 | UInt64(filter)
    let group = numbers[key] ?? UInt32(groups.count)
    if Int(group) == groups.count {
      numbers[key] = group
      groups.append((type, filter))
    }
    groupsOfSeries[number] = group
  }

  /// Copies the selected rows to blocks, each with the filter index of its rows.
  func blocks(_ symbols: SymbolTable) -> [(block: MemTableBlock, filter: Int)] {
    if groups.isEmpty { return [] }
    var members = [[UInt32]](repeating: [], count: groups.count)
    for row in 0..<visible {
      let group = groupsOfSeries[Int(rows.series[row])]
      if group != SharedRows.none { members[Int(group)].append(UInt32(row)) }
    }
    var result: [(block: MemTableBlock, filter: Int)] = []
    for (group, rows) in zip(groups, members) {
      for begin in stride(from: 0, to: rows.count, by: MemTableChunk.maximumRows) {
        let part = rows[begin..<min(begin + MemTableChunk.maximumRows, rows.count)]
        let key = SeriesKey(subject: 0, type: group.type)
        let block = self.rows.gather(part, key, isOfOneSubject: false, symbols)
        result.append((block, group.filter))
      }
    }
    return result
  }
}
