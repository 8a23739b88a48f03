import SampleLog

/// Rows as samples, for conditions that only an object can be asked.
final class RowView: Sendable {
  private let type: HKSampleType
  private let reader: RowReader
  private let access: ReadAccess?
  private let snapshot: @Sendable () -> Snapshot
  private let asksForCorrelation: Bool
  private let asksForMembers: Bool
  // No snapshot is kept beside it: a query that waits for months would keep removed files open.
  private let last = Locked<StoredBlock?>(nil)

  /// Makes samples for a condition, which says what it may ask them.
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

  /// One row as a sample.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` when it cannot be read.
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
    try check.check(RowReference(block, row), in: snapshot)
    if asksForMembers { try stored.readMembers(of: Int32(row), in: snapshot, access) }
    if stored.kind == .workout {
      try WorkoutAdditions.join(CollectionOfOne((stored, Int32(row))), reader, in: snapshot) {
        true
      }
    }
    return HKSample.make(block: stored, row: Int32(row))
  }
}

extension SampleCondition {
  /// Whether it must be known what contains a sample.
  fileprivate var asksForCorrelation: Bool {
    switch self {
    case .correlated, .opaque: true
    case .all(let parts), .any(let parts): parts.contains { $0.asksForCorrelation }
    case .not(let part): part.asksForCorrelation
    default: false
    }
  }

  /// Whether a part of it may ask for anything.
  fileprivate var isOpaque: Bool {
    switch self {
    case .opaque: true
    case .all(let parts), .any(let parts): parts.contains { $0.isOpaque }
    case .not(let part): part.isOpaque
    default: false
    }
  }
}
