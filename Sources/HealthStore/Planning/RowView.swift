import SampleLog

/// Presents rows as samples, for conditions that can only be evaluated on objects.
final class RowView: Sendable {
  private let type: HKSampleType
  private let reader: RowReader
  private let access: ReadAccess?
  private let snapshot: @Sendable () -> Snapshot
  private let asksForCorrelation: Bool
  private let asksForMembers: Bool
  // Does not retain a snapshot: a long-running query would keep removed files open.
  private let last = Locked<StoredBlock?>(nil)

  /// Creates a view for a condition, which determines the data that samples need.
  init(
    _ type: HKSampleType, _ reader: RowReader, _ access: ReadAccess?,
    for condition: SampleCondition, snapshot: @escaping @Sendable () -> Snapshot
  ) {
    self.type = type
    self.reader = reader
    self.access = access
    self.snapshot = snapshot
    asksForCorrelation = condition.asksForCorrelation
    asksForMembers = type is HKCorrelationType && condition.isOpaque
  }

  /// Returns a row as a sample.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the row cannot be read.
  func sample(_ block: Block, _ row: Int) throws -> HKSample {
    let stored = last.withLock { last in
      if let last, last.block === block { return last }
      let stored = StoredBlock(
        block, type, reader, snapshot: asksForCorrelation ? self.snapshot : nil)
      last = stored
      return stored
    }
    let snapshot = self.snapshot()
    var check = RowCheck(reader)
    try check.check(Row(block, row), in: snapshot)
    if asksForMembers { try stored.readMembers(of: Int32(row), reader, in: snapshot, access) }
    if stored.kind == .workout {
      try WorkoutAdditions.join(CollectionOfOne((stored, Int32(row))), reader, in: snapshot) {
        true
      }
    }
    return HKSample.make(block: stored, row: Int32(row))
  }
}

extension SampleCondition {
  /// Whether the condition depends on correlation membership.
  fileprivate var asksForCorrelation: Bool {
    switch self {
    case .correlated, .opaque: true
    case .all(let parts), .any(let parts): parts.contains { $0.asksForCorrelation }
    case .not(let part): part.asksForCorrelation
    default: false
    }
  }

  /// Whether the condition contains an opaque predicate, which may access any property.
  fileprivate var isOpaque: Bool {
    switch self {
    case .opaque: true
    case .all(let parts), .any(let parts): parts.contains { $0.isOpaque }
    case .not(let part): part.isOpaque
    default: false
    }
  }
}
