/// How much one subject may have in a store.
///
/// A quota holds for each subject alike. It refuses commits that add to what a subject has;
/// deletions, settings and commits that leave a subject with no more than before always go through,
/// so a subject with more than a quota that was lowered keeps it.
public struct SubjectQuota: Hashable, Sendable {
  /// How many live samples a subject may have; nil for any number.
  ///
  /// Rows that belong to other samples, such as the points of a route, do not count. No commit
  /// exceeds it, whatever commits beside it.
  public var sampleCount: Int?
  /// How many bytes of segments a subject's samples may take, as
  /// ``SubjectStatistics/byteCount`` says, before no more are added; nil for any number.
  ///
  /// What is in logs is not counted, so a subject may exceed it by what a log holds until it is
  /// sealed. What deletions free counts until a compaction returns it.
  public var byteCount: Int?

  /// Makes a quota.
  ///
  /// - Parameters:
  ///   - sampleCount: How many samples; nil for any number.
  ///   - byteCount: How many bytes; nil for any number.
  public init(sampleCount: Int? = nil, byteCount: Int? = nil) {
    self.sampleCount = sampleCount
    self.byteCount = byteCount
  }
}

extension CommitPayload {
  /// By how many live samples it changes what each subject has that it adds samples to.
  func sampleCountChanges(_ symbols: SymbolTable) -> [Symbol: Int] {
    var changes: [Symbol: Int] = [:]
    func add(_ rows: RowGroup, _ one: Int, count: Int) {
      var first = 0
      while first < count {
        let (subject, type) = (rows.subject[first], rows.type[first])
        var end = first + 1
        while end < count, rows.subject[end] == subject, rows.type[end] == type { end += 1 }
        if !symbols.isOwnedType(type) { changes[subject, default: 0] += one * (end - first) }
        first = end
      }
    }
    add(rows, 1, count: rows.count)
    add(deletions, -1, count: deletions.count - carriedDeletionCount)
    return changes
  }
}

extension Snapshot {
  /// How many bytes the samples of a subject take in segments.
  ///
  /// - Complexity: Linear in the blocks of the subject, none of which is read.
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
