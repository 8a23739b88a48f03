import Foundation
import SampleLog

extension OpenStore {
  /// Saves objects: all of them or none.
  func save(_ objects: [HKObject], subject: String) throws {
    try checkWritable()
    var writer = RowWriter(database, subject: subject)
    try writer.add(objects)
    try writer.save()
  }

  /// Deletes objects by their identifiers: all of them or none.
  func delete(_ objects: [HKObject], subject: String) throws {
    try checkWritable()
    guard !objects.isEmpty else {
      throw HKError.make(.errorInvalidArgument, "There is no object to delete.")
    }
    var batch = Batch()
    batch.deletionSubject = database.symbols.intern(subject)
    for object in objects { batch.delete(Identifier(object.uuid)) }
    try database.commit(batch)
  }

  /// Deletes the matching samples of a type and returns how many there were.
  func deleteObjects(of type: HKObjectType, predicate: NSPredicate, subject: String) throws -> Int {
    try checkWritable()
    guard let type = type as? HKSampleType else {
      throw HKError.make(
        .errorInvalidArgument, "There are no samples of \(type.identifier) to delete.")
    }
    let plan = StoreReader(self, subject: subject).plan([(type, try SampleCondition(predicate))])
    var check = RowCheck(reader)
    // Whether a sample that cannot be read matches is not known.
    return try database.delete(where: plan.selection) { try check.check($0, in: $1) }
  }
}
