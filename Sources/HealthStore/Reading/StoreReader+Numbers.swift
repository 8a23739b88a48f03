import SampleLog

// Queries for samples after a sequence number.
extension StoreReader {
  /// The maximum number of changes per page.
  ///
  /// A page may consist of deletions only.
  private static let pageLimit = 4096

  /// Returns samples after a sequence number in commit order, and the number to resume from.
  ///
  /// - Throws: `errorInvalidArgument` if the number is negative,
  ///   ``StoreError/anchorFromTheFuture(anchor:end:)`` if the store has not reached it.
  func samples(
    _ plan: QueryPlan, afterNumber number: Int, limit: Int
  ) throws -> (samples: [HKSample], number: Int) {
    try check()
    guard let sequence = UInt64(exactly: number) else {
      throw HKError.make(
        .errorInvalidArgument, "An anchor is 0 or a number that a query returned, not \(number).")
    }
    let snapshot = store.database.snapshot()
    // Read as an initial load: its anchors do not expire, because an initial load reports no
    // deletions.
    var anchor = Anchor(sequence: sequence, initialLoadEnd: max(snapshot.end, sequence))
    var samples: [HKSample] = []
    while true {
      let room = limit > 0 ? limit - samples.count : Int.max
      let page = try snapshot.changes(
        after: anchor, of: plan.selection,
        limit: limit > 0 ? max(room, Self.pageLimit) : nil)
      let changes = try objects(page)
      anchor = page.anchor
      samples += changes.added.prefix(room)
      if changes.added.count > room, let last = samples.last {
        return (samples, try Int(sequenceNumber(of: last, in: page)))
      }
      if !page.hasMore || samples.count == limit {
        return (samples, Int(anchor.sequence))
      }
    }
  }

  /// Returns the sequence number of a sample of a page.
  private func sequenceNumber(of sample: HKSample, in page: ChangePage) throws -> UInt64 {
    let id = Identifier(sample.uuid)
    let change = page.changes.first { $0.kind == .sample && $0.row.block.id[$0.row.row] == id }
    return change?.sequence ?? page.anchor.sequence
  }
}
