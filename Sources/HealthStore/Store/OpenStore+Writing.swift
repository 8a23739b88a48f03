import Foundation
import SampleLog

extension OpenStore {
  /// Saves objects: all of them or none.
  func save(_ objects: [HKObject], subject: String) throws {
    if isClosed { throw StoreError.closed }
    let batch = try SaveBatch(
      objects, subject: database.symbols.intern(subject), snapshot: database.snapshot())
    try database.commit(batch.batch)
  }

  /// Deletes objects by their identifiers: all of them or none.
  func delete(_ objects: [HKObject], subject: String) throws {
    guard !objects.isEmpty else {
      throw HKError.make(.errorInvalidArgument, "There is no object to delete.")
    }
    let subject = database.symbols.intern(subject)
    let snapshot = database.snapshot()
    var batch = Batch()
    for object in objects {
      let id = Identifier(object.uuid)
      guard let row = try snapshot.row(id), row.block.subject == subject else {
        throw StoreError.notFound(id)
      }
      batch.delete(id)
    }
    try database.commit(batch)
  }

  /// Deletes the matching samples of a type and returns how many there were.
  func deleteObjects(of type: HKObjectType, predicate: NSPredicate, subject: String) throws -> Int {
    guard let type = type as? HKSampleType else {
      throw HKError.make(
        .errorInvalidArgument, "There are no samples of \(type.identifier) to delete.")
    }
    let reader = StoreReader(self, subject: subject)
    let plan = reader.plan([(type, try SampleCondition(predicate))])
    while true {
      let snapshot = database.snapshot()
      let rows = try snapshot.select(plan.selection)
      guard !rows.isEmpty else { return 0 }
      var batch = Batch()
      var check = RowCheck(self.reader)
      for row in rows {
        // Whether one that cannot be read matches is not known.
        try check.check(row, in: snapshot)
        batch.delete(row.id)
      }
      do {
        try database.commit(batch)
        return rows.count
      } catch StoreError.notFound {
        // Somebody else deleted one of them meanwhile: look again.
        continue
      }
    }
  }
}
