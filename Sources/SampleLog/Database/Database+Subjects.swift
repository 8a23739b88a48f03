/// Figures about one subject.
public struct SubjectStatistics: Hashable, Sendable {
  /// Whose data it is.
  public let subject: Symbol
  /// Live samples.
  public internal(set) var sampleCount = 0
  /// Bytes that its blocks take in segments, without what the segments keep about them.
  ///
  /// Of blocks with other subjects' rows it is a share by rows. What is still in logs takes none.
  public internal(set) var byteCount = 0
  /// When its first sample starts, in seconds since 2001-01-01T00:00:00Z.
  public internal(set) var firstStart = Double.infinity
  /// When its last sample to end ends, in seconds since 2001-01-01T00:00:00Z.
  public internal(set) var lastEnd = -Double.infinity
}

extension Snapshot {
  /// The subjects that have live samples, in the order of their names' bytes.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when a block cannot be read.
  /// - Complexity: Linear in the blocks. Blocks of one subject without deleted samples are not
  ///   read; of others sequence numbers and dates are.
  public func subjects() throws -> [SubjectStatistics] {
    var found: [Symbol: SubjectStatistics] = [:]
    var rows: [Int32] = []
    for key in series {
      var one = found[key.subject] ?? SubjectStatistics(subject: key.subject)
      let isOwned = symbols.isOwnedType(key.type)
      for source in sources(key, RowFilter()) {
        let dead = source.relevant(dead)
        if case .segment(let segment, let index) = source.location {
          let rows = segment.directory.rows(index)
          one.byteCount += segment.directory.bytes(index).count * source.zone.count / rows
          if dead == nil, source.part == nil {
            if !isOwned { one.include(source.zone) }
            continue
          }
        }
        // Rows that belong to a sample have its dates.
        if isOwned { continue }
        let block = try source.load([.start, .end, .sequence], caches.blocks)
        try RowFilter().select(block, isSorted: source.zone.isSorted, dead: dead, into: &rows)
        var zone = ZoneMap()
        for row in rows.lazy.map(Int.init) {
          zone.include(
            start: block.start[row], end: block.end[row], sequence: block.sequence[row])
        }
        one.include(zone)
      }
      found[key.subject] = one
    }
    return found.values.filter { $0.sampleCount > 0 }
      .map { ($0, symbols.name($0.subject)) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }
}

extension SubjectStatistics {
  fileprivate mutating func include(_ zone: ZoneMap) {
    sampleCount += zone.count
    firstStart = min(firstStart, zone.minStart)
    lastEnd = max(lastEnd, zone.maxEnd)
  }
}
