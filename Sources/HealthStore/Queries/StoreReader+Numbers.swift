import SampleLog

extension StoreReader {
  /// The greatest number of changes that are read at once; a page may be all deletions.
  private static let pageLimit = 4096

  /// Samples saved after a sequence number, in the order of writing, and the number to go on after.
  ///
  /// - Throws: `errorInvalidArgument` for a number below 0,
  ///   ``StoreError/anchorFromTheFuture(anchor:end:)`` for one that the store has not reached.
  func samples(
    _ plan: QueryPlan, afterNumber number: Int, limit: Int
  ) throws -> (samples: [HKSample], number: Int) {
    try check()
    guard let sequence = UInt64(exactly: number) else {
      throw HKError.make(
        .errorInvalidArgument, "An anchor is 0 or a number that a query returned, not \(number).")
    }
    let snapshot = store.database.snapshot()
    // Read as a first pass, whose anchors outlast forgotten deletions: none are reported.
    var anchor = Anchor(sequence: sequence, passStart: max(snapshot.end, sequence))
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

  /// The sequence number of a sample of a page.
  private func sequenceNumber(of sample: HKSample, in page: ChangePage) throws -> UInt64 {
    let id = Identifier(sample.uuid)
    let change = page.changes.first { $0.kind == .sample && $0.row.block.id[$0.row.row] == id }
    return change?.sequence ?? page.anchor.sequence
  }
}
