/// Reads the rows of a memtable under its lock.
extension MemTableState {
  /// Returns the blocks of a series, limited to rows through a sequence number.
  func blocks(_ key: SeriesKey, _ kind: RowKind, through end: UInt64) -> [MemTableBlock] {
    guard let number = number(key, kind) else { return [] }
    let one = series[number]
    guard one.isShared else { return one.blocks(through: end, symbols) }
    return gather(one, after: 0, through: end).map { [$0] } ?? []
  }

  /// Returns blocks of samples, each with its filter index, and a selection of the shared rows.
  ///
  /// The caller copies the selected shared rows after it has released the lock.
  func blocks(
    _ wanted: [(key: SeriesKey, filter: Int)]?, through end: UInt64
  ) -> (own: [(block: MemTableBlock, filter: Int)], shared: SharedSelection) {
    var own: [(block: MemTableBlock, filter: Int)] = []
    // For few series, following their lists is faster than scanning all shared rows.
    if let wanted, wanted.count * MemTableSeries.maximumSharedRows < sharedSamples.count {
      for one in wanted { own += blocks(one.key, .sample, through: end).map { ($0, one.filter) } }
      return (own, SharedSelection(sharedSamples, series: 0, through: end))
    }
    var shared = SharedSelection(sharedSamples, series: series.count, through: end)
    func take(_ number: Int, _ filter: Int) {
      let one = series[number]
      if one.isShared {
        shared.add(number, type: one.key.type, filter: filter)
      } else {
        own += one.blocks(through: end, symbols).map { ($0, filter) }
      }
    }
    if let wanted {
      for one in wanted { number(one.key, .sample).map { take($0, one.filter) } }
    } else {
      for number in series.indices where series[number].kind == .sample { take(number, 0) }
    }
    return (own, shared)
  }

  /// Copies the shared rows of a series to a block.
  private func gather(
    _ one: MemTableSeries, after: UInt64, through end: UInt64
  ) -> MemTableBlock? {
    let shared = shared(one.kind)
    let rows = shared.rows(of: one, after: after, through: end)
    if rows.isEmpty { return nil }
    return shared.gather(rows[...], one.key, isOfOneSubject: true, symbols)
  }

  /// Returns rows of some series in commit order.
  func rows(
    after: UInt64, through end: UInt64, in keys: [SeriesKey], limit: Int
  ) -> [Row] {
    var result: [Row] = []
    for key in keys {
      for kind in [RowKind.sample, .deletion] {
        guard let one = number(key, kind).map({ series[$0] }) else { continue }
        if one.isShared {
          guard let block = gather(one, after: after, through: end)?.block else { continue }
          result += (0..<block.count).map { Row(block, $0) }
        } else {
          result += one.rows(after: after, through: end, limit: limit, symbols)
        }
      }
    }
    result.sort { $0.sequence < $1.sequence }
    return Array(result.prefix(limit))
  }

  /// Returns rows of all series in commit order.
  func rows(after: UInt64, through end: UInt64, limit: Int) -> [Row] {
    var result: [Row] = []
    var blocks: [UInt64: Block] = [:]
    var index = after < first ? 0 : Int(after + 1 - first)
    let last = end - first < UInt64(order.count) ? Int(end - first) + 1 : order.count
    func block(_ key: UInt64, _ make: () -> Block) -> Block {
      if let known = blocks[key] { return known }
      let block = make()
      blocks[key] = block
      return block
    }
    while index < last, result.count < limit {
      switch order[index].location {
      case .own(let number, let row)?:
        let chunk = row >> 12
        let block = block(UInt64(number) << 32 | UInt64(chunk)) {
          series[number].block(series[number].chunks[chunk], through: .max, symbols)
        }
        result.append(Row(block, row & 4095))
      case .shared(let row, let kind)?:
        let shared = kind == .sample ? sharedSamples : sharedDeletions
        let type = series[Int(shared.series[Int(row)])].key.type
        let upper = UInt64(kind.rawValue) << 63 | 1 << 62 | UInt64(row >> 12) << 32
        let block = block(upper | UInt64(type)) {
          shared.block(chunk: Int(row >> 12), ofType: type, symbols)
        }
        result.append(Row(block, Int(row & 4095)))
      case nil: break
      }
      index += 1
    }
    return result
  }

  /// Returns the visible block of a series with the latest start date.
  ///
  /// Of rows that the series shares with others, the block contains only the latest.
  func newestBlock(_ key: SeriesKey, through end: UInt64) -> MemTableBlock? {
    guard let number = number(key, .sample) else { return nil }
    let one = series[number]
    guard one.isShared else { return one.newestBlock(through: end, symbols) }
    var newest = one.newestShared
    if sharedSamples.sequence(newest) > end {
      // Of rows with equal dates, the last one is the newest.
      let rows = sharedSamples.rows(of: one, through: end)
      guard let last = rows.last else { return nil }
      newest = rows.reversed().reduce(last) {
        sharedSamples.start($1) > sharedSamples.start($0) ? $1 : $0
      }
    }
    let block = sharedSamples.block(newest, key, symbols)
    var zone = ZoneMap()
    zone.include(start: block.start[0], end: block.end[0], sequence: block.sequence[0])
    return MemTableBlock(block: block, zone: zone)
  }
}
