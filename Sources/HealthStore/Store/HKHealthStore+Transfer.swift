import Foundation
package import SampleLog

extension HKHealthStore {
  /// Changes the store at once, on a background thread, as an import does: without asking a policy.
  ///
  /// The function adds what is to be committed to the writer. It is called again, with a newer
  /// snapshot, when another commit changed the samples it changes; rows that are known are left
  /// out. It must not commit anything. Calls for one subject come one after the other, so that what
  /// one has read of the others' settings holds when it is committed.
  ///
  /// - Throws: ``HKError``, as other calls that write; and what the function throws, as it is.
  package func committing<Value: Sendable>(
    _ body: @escaping @Sendable (inout RowWriter, Snapshot) throws -> Value
  ) async throws -> Value {
    try await value { store, subject in
      try Self.commit(to: store, subject, body)
    }.get()
  }

  /// The same on the calling thread.
  package func commitBlocking<Value>(
    _ body: (inout RowWriter, Snapshot) throws -> Value
  ) throws -> Value {
    try Self.commit(to: try location.open(), subject, body).get()
  }

  private static func commit<Value>(
    to store: OpenStore, _ subject: String,
    _ body: (inout RowWriter, Snapshot) throws -> Value
  ) throws -> Result<Value, any Error> {
    try store.checkWritable()
    let result = try turns[Int(UInt(bitPattern: subject.hashValue) % UInt(turns.count))].withLock {
      _ in
      var result = Result<Value, any Error>.failure(StoreError.closed)
      try store.database.commit(making: { snapshot in
        var writer = RowWriter(
          store.database, subject: subject, revision: .current, snapshot: snapshot)
        result = Result { try body(&writer, snapshot) }
          .mapError { $0 is StoreError ? HKError.from($0) : $0 }
        guard case .success = result else { return Batch() }
        writer.batch.leavesOutKnown = true
        return writer.batch
      })
      return result
    }
    // Where the function found everything there already, that has to be confirmed, too.
    if case .success = result { try store.confirm() }
    return result
  }

  /// Few subjects share one.
  private static let turns = (0..<64).map { _ in Locked(()) }
}

extension HKSampleType {
  /// What the rows of the type's samples have beside the columns of every row; nil for nothing.
  package var payload: (any SamplePayload.Type)? { SampleKind(of: self).payload }
}
