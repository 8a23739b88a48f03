/// The storage limits of each subject.
///
/// The same quota applies to every subject. It rejects only commits that add to a subject's usage.
/// Deletions, settings and commits that do not increase a subject's usage always succeed, so a
/// subject that exceeds a lowered quota keeps its data.
public struct SubjectQuota: Hashable, Sendable {
  /// The maximum number of live samples per subject, or nil for no limit.
  ///
  /// Child rows of samples, such as the points of a route, do not count. Concurrent commits cannot
  /// exceed the limit together.
  public var sampleCount: Int?
  /// The number of bytes that a subject's samples may take in segments before further samples are
  /// rejected, or nil for no limit.
  ///
  /// ``SubjectStatistics/byteCount`` reports the current number.
  ///
  /// Logs are not counted, so a subject may exceed the limit by the contents of a log until it is
  /// sealed. Space that deletions free counts until a compaction reclaims it.
  public var byteCount: Int?

  /// Creates a quota.
  ///
  /// - Parameters:
  ///   - sampleCount: The maximum number of live samples, or nil for no limit.
  ///   - byteCount: The maximum number of bytes in segments, or nil for no limit.
  public init(sampleCount: Int? = nil, byteCount: Int? = nil) {
    self.sampleCount = sampleCount
    self.byteCount = byteCount
  }
}

extension CommitPayload {
  /// Returns the change in the number of live samples for each subject whose samples the commit
  /// adds or deletes.
  func sampleCountChanges(_ symbols: SymbolTable) -> [Symbol: Int] {
    var changes: [Symbol: Int] = [:]
    func add(_ rows: RowGroup, _ one: Int, count: Int) {
      var first = 0
      while first < count {
        let (subject, type) = (rows.subject[first], rows.type[first])
        var end = first + 1
        while end < count, rows.subject[end] == subject, rows.type[end] == type { end += 1 }
        if !symbols.isChildType(type) { changes[subject, default: 0] += one * (end - first) }
        first = end
      }
    }
    add(rows, 1, count: rows.count)
    add(deletions, -1, count: deletions.count - carriedDeletionCount)
    return changes
  }
}

extension Snapshot {
  /// Returns the number of bytes that a subject's samples take in segments.
  ///
  /// - Complexity: Linear in the blocks of the subject; reads none of them.
  func byteCount(of subject: Symbol) -> Int {
    segments.reduce(0) { sum, segment in
      segment.samples(of: subject).reduce(sum) { sum, series in
        series.blocks.reduce(sum) { sum, block in
          let first = segment.firstRow(ofBlock: block)
          let count = segment.directory.rows(block)
          let own = series.rows.clamped(to: first..<first + count).count
          return sum + segment.directory.bytes(block).count * own / count
        }
      }
    }
  }
}
