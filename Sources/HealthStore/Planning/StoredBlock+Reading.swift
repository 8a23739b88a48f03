import SampleLog

// Reads the data that a sample needs in addition to its row.
extension StoredBlock {
  /// Reads the members of a row that is a correlation.
  ///
  /// Deleted members and those that `access` does not admit are omitted.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if a member cannot be read.
  func readMembers(
    of row: Int32, _ reader: RowReader, in snapshot: Snapshot, _ access: ReadAccess?
  ) throws {
    if related(at: row) != nil { return }
    let reference = Row(block, Int(row))
    let extras = try snapshot.extras(of: reference)
    var objects: Set<HKSample> = []
    if extras.payloadKind != 0 {
      guard let payload = CorrelationPayload(extras) else {
        throw snapshot.damaged(reference, "members that make no sense")
      }
      var check = RowCheck(reader)
      for member in payload.members {
        guard let found = try snapshot.row(of: member, subject: reference.subject),
          let type = reader.type(of: found), access?.admits(found, type) ?? true
        else { continue }
        // Nested correlations are rejected, because a cycle would recurse forever.
        if type is HKCorrelationType {
          throw snapshot.damaged(reference, "a correlation among its members")
        }
        try check.check(found, in: snapshot)
        let stored = StoredBlock(found.block, type, reader)
        objects.insert(HKSample.make(block: stored, row: Int32(found.row)))
      }
    }
    keep(objects, relatedTo: row)
  }

  /// Merges the statistics of samples that were added to a workout later into its payload.
  func join(_ additions: [WorkoutAdditionPayload], at row: Int32) {
    guard var payload = WorkoutPayload(Extras(block.extras(at: Int(row)))) else { return }
    for addition in additions { payload.add(addition) }
    replace(payload, at: row)
  }
}
