import SampleLog

extension SeriesReader {
  /// Opens the points of a sample in a snapshot, by default the newest.
  ///
  /// A quantity sample with a single value has no points.
  ///
  /// - Throws: `errorInvalidArgument` if the sample is not in the store,
  ///   `errorAuthorizationNotDetermined` if authorization for its type was never requested.
  init(_ sample: HKSample, _ reader: StoreReader, in snapshot: Snapshot? = nil) throws {
    try reader.check()
    try reader.access?.check(sample.sampleType)
    let snapshot = snapshot ?? reader.store.database.snapshot()
    guard let row = try snapshot.row(Identifier(sample.uuid)),
      row.subject == reader.subject,
      reader.access?.admits(row, sample.sampleType) ?? true
    else {
      throw HKError.make(
        .errorInvalidArgument,
        "The store does not have the \(type(of: sample)) \(sample.uuid); save it first.")
    }
    guard let payload = sample.sampleKind.payload as? any SeriesPayload.Type else {
      throw HKError.make(.errorInvalidArgument, "Samples of this kind hold no series.")
    }
    try self.init(row, payload, snapshot)
  }
}
