import SampleLog

/// Rows as samples, for conditions that only an object can be asked.
final class RowView: Sendable {
  private let type: HKSampleType
  private let context: StoreContext
  private let snapshot: (@Sendable () -> Snapshot)?
  private let last = Locked<(block: Block, stored: StoredBlock)?>(nil)

  init(
    _ type: HKSampleType, _ context: StoreContext, snapshot: (@Sendable () -> Snapshot)?
  ) {
    self.type = type
    self.context = context
    self.snapshot = snapshot
  }

  func sample(_ block: Block, _ row: Int) -> HKSample {
    let stored = last.withLock { last in
      if let last, last.block === block { return last.stored }
      let needsSnapshot = snapshot != nil || type is HKCorrelationType
      let stored = StoredBlock(
        block, type, context, snapshot: needsSnapshot ? snapshot?() : nil)
      last = (block, stored)
      return stored
    }
    return HKSample.make(block: stored, row: Int32(row))
  }
}
