import Foundation
package import SampleLog

// Commits of rows from other stores.
extension HKHealthStore {
  /// Commits the rows that a function adds, on a background thread and without consulting the
  /// authorization policy, as an import does.
  ///
  /// The function adds rows to the writer and must not commit. If another commit has changed
  /// samples that the batch depends on, the function is called again with a newer snapshot. Rows
  /// that the store already has are skipped. Calls for one subject are serialised, so settings that
  /// the function reads are still current when its batch is committed.
  ///
  /// - Throws: ``HKError``, as other methods that write; errors of the function are rethrown
  ///   unchanged.
  package func committing<Value: Sendable>(
    _ body: @escaping @Sendable (inout RowWriter, Snapshot) throws -> Value
  ) async throws -> Value {
    try await value { store, subject in
      try Self.commit(to: store, subject, body)
    }.get()
  }

  /// Commits as ``committing(_:)`` does, on the calling thread.
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
    let result = try stripes[Int(UInt(bitPattern: subject.hashValue) % UInt(stripes.count))]
      .withLock {
        _ in
        var result = Result<Value, any Error>.failure(StoreError.closed)
        try store.write(subject: subject, policy: nil, ignoresDuplicates: true) {
          writer, snapshot in
          result = Result { try body(&writer, snapshot) }
            .mapError { $0 is StoreError ? HKError.from($0) : $0 }
          if result.failure != nil { writer.batch = Batch() }
        }
        return result
      }
    // A row that the store already had may not be confirmed yet, so confirm even an empty batch.
    if case .success = result { try store.confirm() }
    return result
  }

  /// Striped locks that serialise commits per subject, indexed by a hash of the subject.
  private static let stripes = (0..<64).map { _ in Locked(()) }
}

extension HKSampleType {
  /// The payload type of the type's samples, or nil if they have no payload.
  package var payload: (any SamplePayload.Type)? { SampleKind(of: self).payload }
}
