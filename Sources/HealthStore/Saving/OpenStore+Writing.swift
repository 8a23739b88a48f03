import Foundation
import SampleLog

// Commits that save and delete objects.
extension OpenStore {
  /// Saves objects atomically.
  func save(_ objects: [HKObject], subject: String, policy: AuthorizationPolicy? = nil) throws {
    try checkWritable()
    try policy?.checkSharing(objects)
    try write(subject: subject, policy: policy) { writer, _ in try writer.add(objects) }
  }

  /// Commits the rows that a function adds, atomically.
  ///
  /// The function is called again with a newer snapshot if another commit has changed rows that the
  /// batch depends on. With `ignoresDuplicates`, rows in the store are skipped; otherwise they are
  /// an error.
  func write(
    subject: String, policy: AuthorizationPolicy?, ignoresDuplicates: Bool = false,
    _ body: (inout RowWriter, Snapshot) throws -> Void
  ) throws {
    let revision = policy?.sourceRevision ?? .current
    try database.commit(making: { snapshot in
      var writer = RowWriter(database, subject: subject, revision: revision, snapshot: snapshot)
      try body(&writer, snapshot)
      writer.batch.ignoresDuplicates = ignoresDuplicates
      return writer.batch
    })
  }

  /// Deletes objects by their identifiers, atomically.
  func delete(_ objects: [HKObject], subject: String, policy: AuthorizationPolicy? = nil) throws {
    try checkWritable()
    guard !objects.isEmpty else {
      throw HKError.make(.errorInvalidArgument, "There is no object to delete.")
    }
    try reading(subject) { reader in
      if let policy { try checkDeletion(of: objects, reader.subject, policy) }
      var batch = Batch()
      batch.deletionSubject = reader.subject
      for object in objects { batch.delete(Identifier(object.uuid)) }
      try database.commit(batch)
    }
  }

  /// Throws unless the policy allows its program to delete all of the objects.
  private func checkDeletion(
    of objects: [HKObject], _ subject: Symbol, _ policy: AuthorizationPolicy
  ) throws {
    let access = ReadAccess(policy.ownSamplesOnly, reader)
    let snapshot = database.snapshot()
    for case let sample as HKSample in objects {
      try policy.checkSharing(sample.sampleType)
      if let row = try snapshot.row(Identifier(sample.uuid)), row.subject == subject,
        !access.admits(row, sample.sampleType)
      {
        throw HKError.make(
          .errorAuthorizationDenied,
          "Another source saved the object \(sample.uuid); only that may delete it.")
      }
    }
  }

  /// Deletes the matching samples of a type and returns their number.
  func deleteObjects(
    of type: HKObjectType, predicate: NSPredicate, subject: String, policy: AuthorizationPolicy?
  ) throws -> Int {
    try checkWritable()
    guard let type = type as? HKSampleType else {
      throw HKError.make(
        .errorInvalidArgument, "There are no samples of \(type.identifier) to delete.")
    }
    try policy?.checkSharing(type)
    let reader = StoreReader(self, subject: subject, policy: policy?.ownSamplesOnly)
    let plan = try reader.plan([(type, try SampleCondition(predicate))])
    var check = RowCheck(self.reader)
    // A sample that cannot be read may or may not match, so the check throws.
    return try withExtendedLifetime(reader) {
      try database.delete(where: plan.selection) { try check.check($0, in: $1) }
    }
  }
}
